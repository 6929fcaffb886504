/**
 * @typedef {typeof en} Texts Every text of the element. `{n}` and `{subject}` are filled in.
 */

const en = {
	inbox: "Notifications",
	open: "Notifications, {n} unread",
	close: "Close",
	all: "All",
	unread: "Unread",
	archived: "Archived",
	snoozed: "Snoozed",
	empty: "No notifications.",
	more: "Show more",
	readAll: "Mark all as read",
	archiveAll: "Archive all",
	archiveRead: "Archive read",
	actions: "Actions for {subject}",
	markRead: "Mark as read",
	markUnread: "Mark as unread",
	archive: "Archive",
	unarchive: "Unarchive",
	snooze: "Snooze",
	unsnooze: "Unsnooze",
	delete: "Delete",
	inAnHour: "In an hour",
	tomorrow: "Tomorrow",
	nextWeek: "Next week",
	until: "Until {date}",
	isUnread: "Unread",
	arrived: "New: {subject}",
	arrivedMany: "{n} new notifications",
	preferences: "Preferences",
	back: "Back",
	everything: "All notifications",
	channels: { inApp: "Inbox", email: "E-mail", sms: "Text message", chat: "Chat", push: "Push" },
	schedule: "Schedule",
	scheduleOn: "Notify me only during these hours",
	from: "{day}, from",
	to: "{day}, to",
	days: {
		monday: "Monday",
		tuesday: "Tuesday",
		wednesday: "Wednesday",
		thursday: "Thursday",
		friday: "Friday",
		saturday: "Saturday",
		sunday: "Sunday",
	},
	allDay: "all day",
	saved: "Saved.",
	failed: "Something went wrong: {reason}",
	offline: "Not connected. Reconnecting …",
	unauthorized: "You are not signed in.",
};

/** @type {Texts} */
const de = {
	inbox: "Mitteilungen",
	open: "Mitteilungen, {n} ungelesen",
	close: "Schließen",
	all: "Alle",
	unread: "Ungelesen",
	archived: "Archiv",
	snoozed: "Zurückgestellt",
	empty: "Keine Mitteilungen.",
	more: "Mehr zeigen",
	readAll: "Alle als gelesen markieren",
	archiveAll: "Alle archivieren",
	archiveRead: "Gelesene archivieren",
	actions: "Aktionen für {subject}",
	markRead: "Als gelesen markieren",
	markUnread: "Als ungelesen markieren",
	archive: "Archivieren",
	unarchive: "Zurückholen",
	snooze: "Zurückstellen",
	unsnooze: "Jetzt zurückholen",
	delete: "Löschen",
	inAnHour: "In einer Stunde",
	tomorrow: "Morgen",
	nextWeek: "Nächste Woche",
	until: "Bis {date}",
	isUnread: "Ungelesen",
	arrived: "Neu: {subject}",
	arrivedMany: "{n} neue Mitteilungen",
	preferences: "Einstellungen",
	back: "Zurück",
	everything: "Alle Mitteilungen",
	channels: { inApp: "Posteingang", email: "E-Mail", sms: "SMS", chat: "Chat", push: "Push" },
	schedule: "Zeiten",
	scheduleOn: "Nur zu diesen Zeiten benachrichtigen",
	from: "{day}, von",
	to: "{day}, bis",
	days: {
		monday: "Montag",
		tuesday: "Dienstag",
		wednesday: "Mittwoch",
		thursday: "Donnerstag",
		friday: "Freitag",
		saturday: "Samstag",
		sunday: "Sonntag",
	},
	allDay: "ganztags",
	saved: "Gespeichert.",
	failed: "Es ist ein Fehler aufgetreten: {reason}",
	offline: "Keine Verbindung. Neuer Versuch läuft …",
	unauthorized: "Sie sind nicht angemeldet.",
};

/** @type {Texts} */
const fr = {
	inbox: "Notifications",
	open: "Notifications, {n} non lues",
	close: "Fermer",
	all: "Toutes",
	unread: "Non lues",
	archived: "Archivées",
	snoozed: "En pause",
	empty: "Aucune notification.",
	more: "Afficher plus",
	readAll: "Tout marquer comme lu",
	archiveAll: "Tout archiver",
	archiveRead: "Archiver les lues",
	actions: "Actions pour {subject}",
	markRead: "Marquer comme lue",
	markUnread: "Marquer comme non lue",
	archive: "Archiver",
	unarchive: "Désarchiver",
	snooze: "Mettre en pause",
	unsnooze: "Reprendre maintenant",
	delete: "Supprimer",
	inAnHour: "Dans une heure",
	tomorrow: "Demain",
	nextWeek: "La semaine prochaine",
	until: "Jusqu’au {date}",
	isUnread: "Non lue",
	arrived: "Nouveau : {subject}",
	arrivedMany: "{n} nouvelles notifications",
	preferences: "Préférences",
	back: "Retour",
	everything: "Toutes les notifications",
	channels: { inApp: "Boîte de réception", email: "E-mail", sms: "SMS", chat: "Chat", push: "Push" },
	schedule: "Horaires",
	scheduleOn: "Me notifier uniquement à ces heures",
	from: "{day}, de",
	to: "{day}, à",
	days: {
		monday: "Lundi",
		tuesday: "Mardi",
		wednesday: "Mercredi",
		thursday: "Jeudi",
		friday: "Vendredi",
		saturday: "Samedi",
		sunday: "Dimanche",
	},
	allDay: "toute la journée",
	saved: "Enregistré.",
	failed: "Échec : {reason}",
	offline: "Connexion perdue ; nouvelle tentative.",
	unauthorized: "Vous n’êtes pas connecté.",
};

/** @type {Texts} */
const es = {
	inbox: "Notificaciones",
	open: "Notificaciones, {n} sin leer",
	close: "Cerrar",
	all: "Todas",
	unread: "Sin leer",
	archived: "Archivadas",
	snoozed: "Pospuestas",
	empty: "No hay notificaciones.",
	more: "Mostrar más",
	readAll: "Marcar todo como leído",
	archiveAll: "Archivar todo",
	archiveRead: "Archivar las leídas",
	actions: "Acciones para {subject}",
	markRead: "Marcar como leída",
	markUnread: "Marcar como no leída",
	archive: "Archivar",
	unarchive: "Desarchivar",
	snooze: "Posponer",
	unsnooze: "Recuperar ahora",
	delete: "Eliminar",
	inAnHour: "En una hora",
	tomorrow: "Mañana",
	nextWeek: "La próxima semana",
	until: "Hasta {date}",
	isUnread: "Sin leer",
	arrived: "Nueva: {subject}",
	arrivedMany: "{n} notificaciones nuevas",
	preferences: "Preferencias",
	back: "Atrás",
	everything: "Todas las notificaciones",
	channels: { inApp: "Bandeja", email: "Correo", sms: "SMS", chat: "Chat", push: "Push" },
	schedule: "Horario",
	scheduleOn: "Avisarme solo en este horario",
	from: "{day}, de",
	to: "{day}, a",
	days: {
		monday: "Lunes",
		tuesday: "Martes",
		wednesday: "Miércoles",
		thursday: "Jueves",
		friday: "Viernes",
		saturday: "Sábado",
		sunday: "Domingo",
	},
	allDay: "todo el día",
	saved: "Guardado.",
	failed: "No ha funcionado: {reason}",
	offline: "Sin conexión; reintentando.",
	unauthorized: "No ha iniciado sesión.",
};

/** The texts by language; add to it for another one. @type {Record<string, Texts>} */
export const dictionaries = { en, de, fr, es };

/**
 * Returns the first preferred language that has texts, and these texts.
 * @param {(string | null | undefined)[]} wishes Such as de-AT or de_AT, most wanted first.
 * @returns {{ lang: string, texts: Texts }}
 */
export function choose(wishes) {
	for (const wish of wishes) {
		const tag = wish?.replaceAll("_", "-") ?? "";
		const base = tag.split("-")[0].toLowerCase();
		const name = [tag, base].find((known) => Object.hasOwn(dictionaries, known));
		if (name) return { lang: isTag(tag) ? tag : base, texts: dictionaries[name] };
	}
	return { lang: "en", texts: en };
}

/** Reports whether a browser can format dates by it. @param {string} tag */
function isTag(tag) {
	try {
		return new Intl.Locale(tag).language !== "";
	} catch {
		return false;
	}
}

/**
 * Fills the placeholders of a text.
 * @param {string} text
 * @param {Record<string, string | number>} values
 */
export const fill = (text, values) => text.replace(/\{(\w+)\}/g, (place, name) => String(values[name] ?? place));

import { fill, language } from '../text/text'

/** The texts of choosing images, which are loaded with it: what the dashboard's page says by itself has its texts in ../text. */
export const texts = {
  en: {
    image: 'Image',
    addImage: 'Add image',
    insert: 'Insert image',
    insertInto: 'Insert image into {label}',
    choose: 'Upload or choose',
    chooseN: 'Image {n}: upload or choose',
    imageNURL: 'Image {n}: URL',
    imageNAlt: 'Image {n}: alternative text',
    dropHere: 'An image can also be dropped here.',
    title: 'Images of the environment',
    upload: 'Upload',
    uploading: 'Uploading…',
    drop: 'Choose a file, or drop it here: PNG, JPEG or GIF, at most 1 MiB and 4,000 pixels a side.',
    alt: 'Alternative text',
    altHint: 'What readers get who do not see the image.',
    search: 'Search by name',
    none: 'No images yet.',
    noneFound: 'No image has this name.',
    list: 'Images',
    remove: 'Delete {name}',
    removeQuestion:
      'Delete {name}? Mails that were sent with it, and templates that use it, show it no more. This cannot be undone.',
    deleteImage: 'Delete image',
    used: { one: 'Used in {n} place', other: 'Used in {n} places' },
    usedMost: 'Used in {n} places or more',
    unused: 'Not used',
    removeUsed: '{name} is used. Where it is used now, readers see a broken image instead. This cannot be undone.',
    deleteUsed: 'Delete although it is used',
    kind: '{name} is no PNG, JPEG or GIF image.',
    large: '{name} has {size}; an image has at most 1 MiB.',
    sides: '{name} is {width} by {height} pixels; an image has at most 4,000 a side.',
    unread: '{name} cannot be read.',
    noAddress:
      'Mails need an address that readers reach, and this server has none: set CARILLON_PUBLIC_URL, such as https://notify.example.com. Until then images are used with the address of this page, {origin}.',
  },
  de: {
    image: 'Bild',
    addImage: 'Bild hinzufügen',
    insert: 'Bild einfügen',
    insertInto: 'Bild in {label} einfügen',
    choose: 'Hochladen oder wählen',
    chooseN: 'Bild {n}: hochladen oder wählen',
    imageNURL: 'Bild {n}: URL',
    imageNAlt: 'Bild {n}: Alternativtext',
    dropHere: 'Ein Bild kann auch hier abgelegt werden.',
    title: 'Bilder der Umgebung',
    upload: 'Hochladen',
    uploading: 'Wird hochgeladen…',
    drop: 'Eine Datei wählen oder hier ablegen: PNG, JPEG oder GIF, höchstens 1 MiB und 4.000 Pixel je Seite.',
    alt: 'Alternativtext',
    altHint: 'Was Leser bekommen, die das Bild nicht sehen.',
    search: 'Nach Namen suchen',
    none: 'Noch keine Bilder.',
    noneFound: 'Kein Bild hat diesen Namen.',
    list: 'Bilder',
    remove: '{name} löschen',
    removeQuestion:
      '{name} löschen? Mails, die damit versendet wurden, und Vorlagen, die es verwenden, zeigen es nicht mehr. Das kann nicht rückgängig gemacht werden.',
    deleteImage: 'Bild löschen',
    used: { one: 'An {n} Stelle verwendet', other: 'An {n} Stellen verwendet' },
    usedMost: 'An {n} oder mehr Stellen verwendet',
    unused: 'Nicht verwendet',
    removeUsed:
      '{name} wird verwendet. Wo es jetzt verwendet wird, sehen Leser stattdessen ein fehlendes Bild. Das kann nicht rückgängig gemacht werden.',
    deleteUsed: 'Löschen, obwohl es verwendet wird',
    kind: '{name} ist kein Bild als PNG, JPEG oder GIF.',
    large: '{name} hat {size}; ein Bild hat höchstens 1 MiB.',
    sides: '{name} ist {width} mal {height} Pixel groß; ein Bild hat höchstens 4.000 je Seite.',
    unread: '{name} kann nicht gelesen werden.',
    noAddress:
      'Mails brauchen eine Adresse, die Leser erreichen, und dieser Server hat keine: CARILLON_PUBLIC_URL setzen, etwa https://notify.example.com. Bis dahin werden Bilder mit der Adresse dieser Seite verwendet, {origin}.',
  },
} as const

/** A text about images in the language of the dashboard. */
export const word = (key: keyof typeof texts.en, values: Record<string, string | number> = {}): string =>
  fill(texts[language()][key], values, language())

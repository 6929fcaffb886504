import { fill, language } from '../text/text'

/**
 * The texts of the code editor, which are loaded with it: what the dashboard's page says by itself has its texts in ../text. Those of
 * CodeMirror are called what they are in English.
 */
export const texts = {
  en: {
    format: 'Format',
    formatOf: 'Format {label}',
    keys: 'Tab leaves the field. Control and M make it indent, or leave again. F8 goes to the next problem.',
    line: 'Line {n}: {message}',
    type: 'The type must be {types}.',
    value: 'The value must be one of {values}.',
    missing: '{name} is missing.',
    unknown: 'The schema does not know {name}.',
    required: 'required',
  },
  de: {
    format: 'Formatieren',
    formatOf: '{label} formatieren',
    keys: 'Tab verlässt das Feld. Strg und M lassen es einrücken oder wieder verlassen. F8 geht zum nächsten Problem.',
    line: 'Zeile {n}: {message}',
    type: 'Der Typ muss {types} sein.',
    value: 'Der Wert muss einer von {values} sein.',
    missing: '{name} fehlt.',
    unknown: 'Das Schema kennt {name} nicht.',
    required: 'erforderlich',
  },
} as const

/** What CodeMirror says to screen readers and shows, in German. */
export const phrases = {
  'Control character': 'Steuerzeichen',
  'Folded lines': 'Zugeklappte Zeilen',
  'Unfolded lines': 'Aufgeklappte Zeilen',
  to: 'bis',
  'folded code': 'zugeklappter Text',
  unfold: 'aufklappen',
  'Fold line': 'Zeile zuklappen',
  'Unfold line': 'Zeile aufklappen',
  Completions: 'Vorschläge',
  Diagnostics: 'Probleme',
  'No diagnostics': 'Keine Probleme',
  close: 'schließen',
  'Selection deleted': 'Auswahl gelöscht',
} as const

/** A text of the code editor in the language of the dashboard. */
export const word = (key: keyof typeof texts.en, values: Record<string, string | number> = {}): string =>
  fill(texts[language()][key], values, language())

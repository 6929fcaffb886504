import {
  autocompletion,
  type Completion,
  type CompletionSource,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  startCompletion,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { bracketMatching, codeFolding, foldGutter, foldKeymap, indentOnInput } from '@codemirror/language'
import { forEachDiagnostic, lintKeymap, setDiagnosticsEffect } from '@codemirror/lint'
import { EditorState, type Extension, type Range } from '@codemirror/state'
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  keymap,
  lineNumbers,
  tooltips,
  ViewPlugin,
  type ViewUpdate,
  WidgetType,
} from '@codemirror/view'
import { language } from '../text/text'
import type { Offer, Offering } from './offers'
import { lineTheme, theme } from './theme'
import { phrases } from './words'

/** What every code editor has; numbered ones show the numbers of their lines, and fold. */
export const basics = (numbered: boolean): Extension => [
  history(),
  drawSelection(),
  EditorView.lineWrapping,
  indentOnInput(),
  bracketMatching(),
  closeBrackets(),
  numbered ? [lineNumbers(), codeFolding(), foldGutter(), keymap.of(foldKeymap)] : [],
  besideLines,
  tooltips({ parent: document.body }),
  keymap.of([
    ...closeBracketsKeymap,
    ...completionKeymap,
    ...lintKeymap,
    ...historyKeymap,
    ...defaultKeymap,
    indentWithTab,
  ]),
  language() === 'de' ? EditorState.phrases.of(phrases) : [],
  theme,
]

/**
 * What an editor of one line has beside: pasted line breaks become blanks, but for one at the end, other input of lines is refused, and
 * Enter sends the form.
 */
export const oneLine: Extension = [
  EditorView.clipboardInputFilter.of((text) => text.replace(/\r?\n$/, '').replace(/\r?\n/g, ' ')),
  EditorState.transactionFilter.of((tr) =>
    tr.isUserEvent('input') && tr.newDoc.lines > tr.startState.doc.lines ? [] : tr,
  ),
  keymap.of([
    {
      key: 'Enter',
      run: ({ dom }) => {
        dom.closest('form')?.requestSubmit()
        return true
      },
    },
  ]),
  lineTheme,
]

/** Completes while one types, and when asked by Ctrl+Space. */
export const completing = (offering: Offering, further: readonly CompletionSource[] = []): Extension =>
  autocompletion({ override: [sourceOf(offering), ...further], icons: false })

const sourceOf =
  (offering: Offering): CompletionSource =>
  async ({ state, pos }) => {
    const found = await offering(state.doc.toString(), pos)
    return found ? { from: found.from, to: found.to, options: found.offers.map(optionOf), validFor: /^[\w-]*$/ } : null
  }

const optionOf = (offer: Offer): Completion => ({
  label: offer.insert,
  displayLabel: offer.label,
  detail: offer.detail,
  type: offer.kind,
  boost: offer.first ? 1 : 0,
  apply(view, _, from, to) {
    view.dispatch({
      changes: { from, to, insert: offer.insert },
      selection: { anchor: from + offer.cursor },
      scrollIntoView: true,
      userEvent: 'input.complete',
    })
    if (offer.again) startCompletion(view)
  },
})

class Beside extends WidgetType {
  constructor(
    readonly message: string,
    readonly severity: string,
  ) {
    super()
  }
  override eq(other: Beside) {
    return other.message === this.message && other.severity === this.severity
  }
  toDOM() {
    const e = document.createElement('span')
    e.className = `cm-beside cm-beside-${this.severity}`
    e.textContent = this.message
    e.ariaHidden = 'true' // the field's description says it
    return e
  }
}

/** The first message of each line that something is wrong with, at its end. */
const besideLines = ViewPlugin.fromClass(
  class {
    shown: DecorationSet = Decoration.none
    update(u: ViewUpdate) {
      const changed = u.transactions.some((tr) => tr.effects.some((e) => e.is(setDiagnosticsEffect)))
      if (changed) this.shown = besides(u.state)
      else if (u.docChanged) this.shown = this.shown.map(u.changes)
    }
  },
  { decorations: (plugin) => plugin.shown },
)

function besides(state: EditorState): DecorationSet {
  const found = new Map<number, Range<Decoration>>()
  forEachDiagnostic(state, ({ message, severity }, from) => {
    const { to } = state.doc.lineAt(from)
    if (!found.has(to)) found.set(to, Decoration.widget({ widget: new Beside(message, severity), side: 1 }).range(to))
  })
  return Decoration.set([...found.values()], true)
}

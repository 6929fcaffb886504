import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

const underline = (color: string) => ({ backgroundImage: 'none', textDecoration: `underline wavy 1px ${color}` })

const look = EditorView.theme({
  // Not & alone, which is also the place of the tooltips at the end of the page: its border made the page longer.
  '&.cm-editor': {
    height: '100%',
    color: 'var(--ink)',
    backgroundColor: 'var(--card)',
    border: '1px solid var(--field)',
    borderRadius: 'var(--radius-2)',
  },
  '&.cm-focused': { outline: '2px solid var(--brand)', outlineOffset: '-1px' },
  '&:has([aria-invalid])': { borderColor: 'var(--bad)', boxShadow: 'inset 0 0 0 1px var(--bad)' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: 1.5, borderRadius: 'inherit' },
  '.cm-content': { padding: '0.25rem 0', caretColor: 'var(--ink)', boxShadow: 'none', unicodeBidi: 'plaintext' },
  '.cm-line': { padding: '0 0.6rem' },
  '.cm-placeholder': { color: 'var(--soft)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--brand-soft)',
  },
  '.cm-gutters': { color: 'var(--soft)', backgroundColor: 'var(--calm)', borderRight: '1px solid var(--line)' },
  '.cm-gutterElement': { cursor: 'default' },
  '.cm-foldGutter .cm-gutterElement': { cursor: 'pointer' },
  '.cm-foldPlaceholder': {
    color: 'var(--ink)',
    backgroundColor: 'var(--calm)',
    border: '1px solid var(--line)',
    padding: '0 0.3rem',
  },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--brand-soft)', outline: '1px solid var(--brand)' },
  '&.cm-focused .cm-nonmatchingBracket': { backgroundColor: 'var(--bad-soft)', outline: '1px solid var(--bad)' },
  '.cm-lintRange-error': underline('var(--bad)'),
  '.cm-lintRange-warning': underline('var(--wait)'),
  '.cm-beside': { marginInlineStart: '1.5ch', font: 'var(--text-1) / 1.5 var(--sans)', overflowWrap: 'anywhere' },
  '.cm-beside-error': { color: 'var(--bad)' },
  '.cm-beside-warning': { color: 'var(--wait)' },
  '.cm-tooltip, .cm-panels': {
    color: 'var(--ink)',
    backgroundColor: 'var(--raised)',
    border: '1px solid var(--line)',
    borderRadius: 'var(--radius-2)',
    boxShadow: 'var(--lift-2)',
    overflow: 'hidden',
    maxWidth: 'calc(100vw - 1rem)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    fontFamily: 'var(--mono)',
    fontSize: 'var(--text-2)',
    maxHeight: '14rem',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '0.25rem 0.6rem', lineHeight: 1.4 },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { color: 'var(--on-brand)', backgroundColor: 'var(--brand)' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: 700 },
  '.cm-completionDetail': {
    marginInlineStart: '1ch',
    fontFamily: 'var(--sans)',
    fontStyle: 'normal',
    color: 'var(--soft)',
  },
  'li[aria-selected] .cm-completionDetail': { color: 'inherit' },
  '.cm-diagnostic': { fontFamily: 'var(--sans)', fontSize: 'var(--text-2)' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--bad)' },
  '.cm-diagnostic-warning': { borderLeftColor: 'var(--wait)' },
})

/** How an editor of one line looks beside: as an input does. */
export const lineTheme = EditorView.theme({
  '&': { minHeight: 'inherit' },
  '.cm-scroller': { fontFamily: 'inherit' },
  '.cm-content': { padding: 'calc((var(--control) - 1.5em) / 2 - 1px) 0' },
})

const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.tagName, tags.keyword, tags.processingInstruction], color: 'var(--brand)' },
  { tag: [tags.string, tags.attributeValue], color: 'var(--good)' },
  {
    tag: [tags.number, tags.bool, tags.null, tags.attributeName, tags.function(tags.variableName), tags.className],
    color: 'var(--wait)',
  },
  { tag: [tags.comment, tags.meta, tags.angleBracket, tags.documentMeta], color: 'var(--soft)' },
  { tag: tags.invalid, color: 'var(--bad)' },
])

/** The editor in the dashboard's colours, light and dark. */
export const theme = [look, syntaxHighlighting(colours)]

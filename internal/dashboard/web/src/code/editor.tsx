import { type CompletionSource, closeCompletion, completionStatus } from '@codemirror/autocomplete'
import { json } from '@codemirror/lang-json'
import { forceLinting, linter } from '@codemirror/lint'
import { Annotation, Compartment, EditorState, StateEffect } from '@codemirror/state'
import { EditorView, keymap, placeholder } from '@codemirror/view'
import { type CSSProperties, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Said } from '../form'
import { imageTag } from '../images/file'
import { word as imageWord } from '../images/words'
import { part } from '../part'
import type { Caret, CodeProps } from './code'
import { difference } from './difference'
import { formatJSON } from './format'
import { jsonMarks, jsonOffers } from './json'
import { insideLiquid, liquidOffers } from './liquid'
import { type Mark, templateMarks } from './marks'
import { namesOnce } from './names'
import type { Offering } from './offers'
import { schemaOf } from './schemas'
import { basics, completing, oneLine } from './setup'
import { word } from './words'

type Props = Pick<
  CodeProps,
  'label' | 'value' | 'onChange' | 'language' | 'line' | 'placeholder' | 'readOnly' | 'required' | 'knows'
> & {
  id: string
  size: CSSProperties
  numbered: boolean
  /** Whether its form may not be sent. */
  stops: boolean
  said: Said
  /** What the field says is wrong with it. */
  messages: string
  /** Where the cursor of the plain input was, when that had the focus. */
  caret?: Caret
}

const Chooser = part(
  () => import('../images/chooser').then((m) => m.default),
  () => null,
)

/** Changes that come from outside of the editor. */
const outside = Annotation.define<boolean>()

/** What is known of the text has changed, and with it the marks. */
const learned = StateEffect.define<null>()

const unseen: CSSProperties = { position: 'absolute', width: 1, height: 1, overflow: 'hidden', clipPath: 'inset(50%)' }

/** The editor of a field for code. */
export function Editor(props: Props) {
  const { id, size, readOnly, value, said, messages, knows, label } = props
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  /** The texts that the editor told since the one that it is given: what was typed meanwhile is not taken back. */
  const sent = useRef<string[]>([])
  const latest = useRef(props)
  latest.current = props
  const [found, setFound] = useState('')
  const [changing] = useState(() => new Compartment())
  const [speaking] = useState(() => new Compartment())
  const templates = useRef<typeof import('./liquid-language')>(undefined)
  const described = [said['aria-describedby'], `${id}keys`, found && `${id}found`].filter(Boolean).join(' ')
  const attributes = attributesOf(props, described)
  const key = JSON.stringify(attributes)

  // biome-ignore lint/correctness/useExhaustiveDependencies: what changes later is told to the editor below.
  useLayoutEffect(() => {
    const marks = (of: EditorView): Mark[] => {
      const all = marksOf(of.state.doc.toString(), latest.current)
      setFound(spoken(all, of.state, latest.current.messages))
      return all
    }
    const made = new EditorView({
      parent: place.current!,
      state: EditorState.create({
        doc: value,
        selection: within(value, props.caret),
        extensions: [
          speaking.of(props.language === 'json' ? json() : []),
          completing(
            offeringOf(() => latest.current),
            props.language === 'html' ? [tagsOf(templates)] : [],
          ),
          keymap.of([{ key: 'Shift-Alt-f', run: (of) => format(of, latest.current) }]),
          props.line ? oneLine : [],
          basics(props.numbered),
          linter(marks, {
            delay: 400,
            needsRefresh: (u) => u.transactions.some((tr) => tr.effects.some((e) => e.is(learned))),
          }),
          props.placeholder ? placeholder(props.placeholder) : [],
          changing.of([]),
          EditorView.updateListener.of((u) => {
            if (!u.docChanged || u.transactions.some((tr) => tr.annotation(outside))) return
            const text = u.state.doc.toString()
            sent.current.push(text)
            latest.current.onChange(text)
          }),
        ],
      }),
    })
    made.setTabFocusMode(true)
    view.current = made
    if (props.caret) made.focus()
    if (props.language !== 'json')
      import('./liquid-language').then(
        (m) => {
          templates.current = m
          made.dispatch({ effects: speaking.reconfigure(m.templates(props.language === 'html')) })
        },
        () => {}, // it is edited without colours
      )
    return () => made.destroy()
  }, [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: key is what attributes hold.
  useLayoutEffect(() => {
    view.current?.dispatch({
      effects: changing.reconfigure([
        EditorView.contentAttributes.of(attributes),
        EditorState.readOnly.of(!!readOnly),
        EditorView.editable.of(!readOnly),
      ]),
    })
  }, [key, readOnly, changing])

  useLayoutEffect(() => {
    const own = sent.current.indexOf(value)
    sent.current = own < 0 ? [] : sent.current.slice(own)
    const changes = own < 0 && view.current && difference(view.current.state.doc.toString(), value)
    if (changes) view.current?.dispatch({ changes, annotations: outside.of(true) })
  }, [value])

  // biome-ignore lint/correctness/useExhaustiveDependencies: what is known changes the marks.
  useEffect(() => {
    if (!view.current) return
    view.current.dispatch({ effects: learned.of(null) })
    forceLinting(view.current)
  }, [messages, knows])

  useEscape(view)
  return (
    <div style={{ position: 'relative', minWidth: 0 }} data-stops={props.stops || undefined}>
      <div ref={place} style={props.line ? size : { ...size, resize: 'vertical', overflow: 'hidden' }} />
      {props.language === 'json' && !readOnly && (
        <button
          type="button"
          className="button plain"
          style={formatStyle}
          aria-label={word('formatOf', { label })}
          title="Shift+Alt+F"
          onClick={() => view.current && format(view.current, props)}
        >
          {word('format')}
        </button>
      )}
      {props.language === 'html' && !readOnly && <InsertImage label={label} view={view} />}
      <span id={`${id}keys`} hidden>
        {word('keys')}
      </span>
      <span id={`${id}found`} style={unseen}>
        {found}
      </span>
    </div>
  )
}

/** A caret within a text, which may have become shorter. */
function within(text: string, caret?: Caret): Caret | undefined {
  const length = text.replace(/\r\n/g, '\n').length
  return caret && { anchor: Math.min(caret.anchor, length), head: Math.min(caret.head, length) }
}

/** Puts an image where the cursor is. */
function InsertImage({ label, view }: { label: string; view: { current: EditorView | undefined } }) {
  const [chooses, setChooses] = useState(false)
  return (
    <>
      <button
        type="button"
        className="button plain"
        style={formatStyle}
        aria-label={imageWord('insertInto', { label })}
        onClick={() => setChooses(true)}
      >
        {imageWord('insert')}
      </button>
      {chooses && (
        <Chooser
          asksAlt
          onChoose={({ address, alt }) => {
            const of = view.current
            if (of) of.dispatch(of.state.replaceSelection(imageTag(address, alt)), { userEvent: 'input.image' })
          }}
          onClose={() => setChooses(false)}
        />
      )}
    </>
  )
}

const formatStyle: CSSProperties = {
  position: 'absolute',
  insetInlineEnd: 0,
  bottom: '100%',
  minHeight: 'max(1.5rem, 24px)',
  minWidth: '24px',
  padding: 0,
  fontSize: 'var(--text-2)',
}

function attributesOf({ id, label, line, readOnly, required, said }: Props, described: string) {
  const attributes: Record<string, string> = {
    id,
    'aria-label': label,
    'aria-describedby': described,
    dir: 'auto',
    tabindex: '0',
  }
  if (line) attributes['aria-multiline'] = 'false'
  if (said['aria-invalid']) attributes['aria-invalid'] = 'true'
  if (required) attributes['aria-required'] = 'true'
  if (readOnly) attributes['aria-readonly'] = 'true'
  return attributes
}

/** Completes HTML outside of Liquid, once its language is loaded. */
function tagsOf(language: { current: typeof import('./liquid-language') | undefined }): CompletionSource {
  return (at) =>
    !language.current || insideLiquid(at.state.doc.toString(), at.pos)
      ? null
      : language.current.htmlCompletionSource(at)
}

/** Offers what a template in the text sees, else what the schema of the text allows. */
function offeringOf(of: () => Props): Offering {
  const names = namesOnce()
  return async (text, position) => {
    const { language, knows } = of()
    if (knows?.template && insideLiquid(text, position))
      return liquidOffers(text, position, knows.template, await names())
    return language === 'json' ? jsonOffers(text, position, schemaOf(knows?.schema)) : undefined
  }
}

const marksOf = (text: string, { language, knows, messages }: Props): Mark[] => [
  ...(language === 'json' ? jsonMarks(text, schemaOf(knows?.schema)) : []),
  ...(knows?.template ? templateMarks(text, messages, knows.template.issues) : []),
]

/** The marks as a screen reader says them, beside what the field says already. */
const spoken = (marks: readonly Mark[], state: EditorState, messages: string): string =>
  marks
    .filter(({ message }) => !messages.includes(message))
    .map(({ from, message }) => word('line', { n: state.doc.lineAt(from).number, message }))
    .join(' ')

/** Writes JSON with a member on each line. */
function format(view: EditorView, { language, readOnly }: Props): boolean {
  if (language !== 'json' || readOnly) return false
  const text = view.state.doc.toString()
  const changes = difference(text, formatJSON(text))
  if (changes) view.dispatch({ changes, userEvent: 'input.format' })
  return true
}

/** In a dialog, which Escape closes, it closes the list of completions first. */
function useEscape(view: { current: EditorView | undefined }) {
  useEffect(() => {
    const hear = (e: KeyboardEvent) => {
      const of = view.current
      if (e.key !== 'Escape' || !of?.hasFocus || completionStatus(of.state) === null) return
      e.preventDefault()
      e.stopImmediatePropagation()
      closeCompletion(of)
    }
    addEventListener('keydown', hear, true)
    return () => removeEventListener('keydown', hear, true)
  }, [view])
}

import {
  type Announcements,
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  PointerSensor,
  type UniqueIdentifier,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import {
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from '@dnd-kit/sortable'
import { ArrowDown, ArrowUp, Copy, Ellipsis, GripVertical, ImageUp, Plus, Trash2, Undo2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { Button, IconButton } from '../button'
import { copyOf } from '../exact'
import { Select } from '../form'
import type { EmailBlockInput, EmailBlockType, TextAlign } from '../gql'
import { useDrop } from '../images/drop'
import { word } from '../images/words'
import { insertAt, moveTo, removeAt, replaceAt } from '../lists'
import { Menu, MenuItem, MenuLine } from '../overlay'
import { part } from '../part'
import { May } from '../role'
import { t } from '../text/text'
import { Template, TemplateLine } from './template'

const Chooser = part(
  () => import('../images/chooser').then((m) => m.default),
  () => null,
)

type Block = EmailBlockInput

let made = 0
const newKey = () => `block${++made}`

/** Keys of so many elements; whoever changes their order changes that of the keys. */
function useKeys(length: number) {
  const keys = useRef<string[]>([])
  while (keys.current.length < length) keys.current.push(newKey())
  keys.current.length = length
  return keys
}

/** The body of an e-mail as blocks, one below the other, which are dragged by their handles or moved by keys. */
export default function Blocks({
  at,
  blocks,
  onChange,
}: {
  at: string
  blocks: readonly Block[]
  onChange: (b: Block[]) => void
}) {
  const keys = useKeys(blocks.length)
  const [removed, setRemoved] = useState<{ at: number; block: Block }>()
  const change = (next: Block[]) => {
    setRemoved(undefined)
    onChange(next)
  }
  const insert = (to: number, block: Block) => {
    keys.current = insertAt(keys.current, to, newKey())
    change(insertAt(blocks, to, block))
  }
  const move = (from: number, to: number) => {
    keys.current = moveTo(keys.current, from, to)
    change(moveTo(blocks, from, to))
  }
  const remove = (from: number) => {
    keys.current = removeAt(keys.current, from)
    onChange(removeAt(blocks, from))
    setRemoved({ at: from, block: blocks[from]! })
  }
  const add = (type: EmailBlockType, to = blocks.length) => insert(to, { type, content: '' })
  const place = (id: UniqueIdentifier) => keys.current.indexOf(String(id))
  const drop = ({ active, over }: DragEndEvent) => {
    if (over && active.id !== over.id) move(place(active.id), place(over.id))
  }
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  )
  return (
    <fieldset>
      <legend>{t('common.blocks')}</legend>
      {blocks.length === 0 && <p className="soft small">{t('blocks.noBlocksYet')}</p>}
      <DndContext
        sensors={sensors}
        collisionDetection={closestCenter}
        onDragEnd={drop}
        accessibility={{
          announcements: announcements(place),
          screenReaderInstructions: { draggable: t('blocks.howToMove') },
        }}
      >
        <SortableContext items={keys.current} strategy={verticalListSortingStrategy}>
          <ol className="blocks">
            {blocks.map((b, i) => (
              <BlockCard
                key={keys.current[i]}
                id={keys.current[i]!}
                at={`${at}.${i}`}
                i={i}
                last={i === blocks.length - 1}
                of={b}
                onChange={(c) => change(replaceAt(blocks, i, { ...b, ...c }))}
                onInsert={(type) => add(type, i)}
                onDuplicate={() => insert(i + 1, copyOf(b))}
                onMove={(to) => move(i, to)}
                onRemove={() => remove(i)}
              />
            ))}
          </ol>
        </SortableContext>
      </DndContext>
      <div className="row" role="status">
        {removed && (
          <>
            <span className="soft small">{t('blocks.removed', { n: removed.at + 1 })}</span>
            <Button icon={Undo2} look="plain" onClick={() => insert(removed.at, removed.block)}>
              {t('toast.undo')}
            </Button>
          </>
        )}
      </div>
      <div className="row">
        <Button icon={Plus} onClick={() => add('TEXT')}>
          {t('common.addText')}
        </Button>
        <Button icon={Plus} onClick={() => add('BUTTON')}>
          {t('blocks.addButton')}
        </Button>
        <Button icon={Plus} onClick={() => add('IMAGE')}>
          {word('addImage')}
        </Button>
      </div>
    </fieldset>
  )
}

/** What a screen reader says while a block is dragged. */
function announcements(place: (id: UniqueIdentifier) => number): Announcements {
  const n = (of: { id: UniqueIdentifier } | null) => place(of?.id ?? '') + 1
  return {
    // It is over its own place at once, which the first of those says.
    onDragStart: () => undefined,
    onDragOver: ({ active, over }) => (over ? t('blocks.over', { n: n(active), to: n(over) }) : undefined),
    onDragEnd: ({ active, over }) => t('blocks.dropped', { n: n(active), to: n(over ?? active) }),
    onDragCancel: ({ active }) => t('blocks.cancelled', { n: n(active) }),
  }
}

function BlockCard({
  id,
  at,
  i,
  last,
  of,
  onChange,
  onInsert,
  onDuplicate,
  onMove,
  onRemove,
}: {
  id: string
  at: string
  i: number
  last: boolean
  of: Block
  onChange: (change: Partial<Block>) => void
  onInsert: (type: EmailBlockType) => void
  onDuplicate: () => void
  onMove: (to: number) => void
  onRemove: () => void
}) {
  const n = i + 1
  const button = of.type === 'BUTTON'
  const image = of.type === 'IMAGE'
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({
    id,
    attributes: { roleDescription: t('blocks.movable') },
  })
  const style = { transform: transform ? `translate3d(0, ${transform.y}px, 0)` : undefined, transition }
  return (
    <li ref={setNodeRef} className={isDragging ? 'block dragged' : 'block'} style={style}>
      <InsertBlock n={n} onInsert={onInsert} />
      <div role="group" aria-label={t('blocks.blockN', { n })}>
        <div className="block-head">
          <May>
            <button
              type="button"
              className="button square quiet drag-handle"
              ref={setActivatorNodeRef}
              {...attributes}
              {...listeners}
              aria-label={t('blocks.moveBlockN', { n })}
            >
              <GripVertical aria-hidden className="icon" />
            </button>
          </May>
          <span className="soft small">{kindOf(of.type)}</span>
          <May>
            <span className="push-end">
              <IconButton icon={Copy} label={t('blocks.duplicateN', { n })} onClick={onDuplicate} />
              <IconButton icon={Trash2} label={t('blocks.removeBlockN', { n })} onClick={onRemove} />
              <BlockMenu n={n} last={last} onMove={onMove} />
            </span>
          </May>
        </div>
        {image ? (
          <ImageFields at={at} n={n} of={of} onChange={onChange} />
        ) : button ? (
          <TemplateLine
            at={`${at}.content`}
            label={t('blocks.buttonNText', { n })}
            value={of.content}
            onChange={(content) => onChange({ content })}
          />
        ) : (
          <Template
            at={`${at}.content`}
            label={t('blocks.textN', { n })}
            hint=""
            value={of.content}
            onChange={(content) => onChange({ content })}
          />
        )}
        <div className="filters">
          {button && (
            <TemplateLine
              label={t('blocks.buttonNURL', { n })}
              at={`${at}.url`}
              value={of.url ?? ''}
              onChange={(url) => onChange({ url })}
            />
          )}
          <Select
            label={t('blocks.blockNAlignment', { n })}
            value={of.styles?.textAlign ?? 'LEFT'}
            onChange={(v) => onChange({ styles: { textAlign: v as TextAlign } })}
            options={['LEFT', 'CENTER', 'RIGHT'] satisfies TextAlign[]}
          />
        </div>
      </div>
    </li>
  )
}

const kindOf = (type: EmailBlockType) =>
  ({ TEXT: t('blocks.text'), BUTTON: t('blocks.button'), IMAGE: word('image') })[type]

/** Where an image is, and what is read in its place. It is uploaded or chosen, dropped, or anywhere else by its URL. */
function ImageFields({
  at,
  n,
  of,
  onChange,
}: {
  at: string
  n: number
  of: Block
  onChange: (change: Partial<Block>) => void
}) {
  const [chooses, setChooses] = useState<{ file?: File }>()
  const { over, on } = useDrop((file) => setChooses({ file }))
  return (
    <div className={over ? 'image-drop over' : 'image-drop'} role="group" aria-label={word('image')} {...on}>
      <May>
        <div className="row">
          <Button icon={ImageUp} aria-label={word('chooseN', { n })} onClick={() => setChooses({})}>
            {word('choose')}
          </Button>
          <span className="soft small">{word('dropHere')}</span>
        </div>
      </May>
      <div className="filters">
        <TemplateLine
          label={word('imageNURL', { n })}
          at={`${at}.url`}
          value={of.url ?? ''}
          onChange={(url) => onChange({ url })}
        />
        <TemplateLine
          label={word('imageNAlt', { n })}
          at={`${at}.content`}
          value={of.content}
          onChange={(content) => onChange({ content })}
        />
      </div>
      {chooses && (
        <Chooser
          file={chooses.file}
          onChoose={({ address }) => onChange({ url: address })}
          onClose={() => setChooses(undefined)}
        />
      )}
    </div>
  )
}

/** Moves a block by a step, for those who neither drag nor use keys. */
function BlockMenu({ n, last, onMove }: { n: number; last: boolean; onMove: (to: number) => void }) {
  return (
    <Menu
      align="end"
      trigger={
        <button type="button" className="button square quiet" aria-label={t('blocks.actionsN', { n })}>
          <Ellipsis aria-hidden className="icon" />
        </button>
      }
    >
      <MenuItem icon={ArrowUp} disabled={n === 1} onSelect={() => onMove(n - 2)}>
        {t('blocks.up')}
      </MenuItem>
      <MenuItem icon={ArrowDown} disabled={last} onSelect={() => onMove(n)}>
        {t('blocks.down')}
      </MenuItem>
      <MenuLine />
      <MenuItem disabled={n === 1} onSelect={() => onMove(0)}>
        {t('blocks.toTop')}
      </MenuItem>
    </Menu>
  )
}

/** Puts a block before another. */
function InsertBlock({ n, onInsert }: { n: number; onInsert: (type: EmailBlockType) => void }) {
  return (
    <May>
      <Menu
        trigger={
          <button type="button" className="add-block" aria-label={t('blocks.insertBefore', { n })}>
            <Plus aria-hidden className="icon" />
          </button>
        }
      >
        <MenuItem onSelect={() => onInsert('TEXT')}>{t('blocks.text')}</MenuItem>
        <MenuItem onSelect={() => onInsert('BUTTON')}>{t('blocks.button')}</MenuItem>
        <MenuItem onSelect={() => onInsert('IMAGE')}>{word('image')}</MenuItem>
      </Menu>
    </May>
  )
}

import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react'
import { Button } from '../button'
import { Select, Text } from '../form'
import type { EmailBlockInput, EmailBlockType, TextAlign } from '../gql'
import { t } from '../text/text'

/** The body of an e-mail as blocks, one below the other. */
export function Blocks({
  at,
  blocks,
  onChange,
}: {
  at: string
  blocks: readonly EmailBlockInput[]
  onChange: (b: EmailBlockInput[]) => void
}) {
  const set = (at: number, change: Partial<EmailBlockInput>) =>
    onChange(blocks.map((b, i) => (i === at ? { ...b, ...change } : b)))
  const swap = (at: number, other: number) =>
    onChange(blocks.map((b, i) => (i === at ? blocks[other]! : i === other ? blocks[at]! : b)))
  const add = (type: EmailBlockType) => onChange([...blocks, { type, content: '' }])
  return (
    <fieldset>
      <legend>{t('common.blocks')}</legend>
      {blocks.length === 0 && <p className="soft small">{t('blocks.noBlocksYet')}</p>}
      {blocks.map((b, i) => (
        <div className="stack" key={i} role="group" aria-label={t('blocks.blockN', { n: i + 1 })}>
          <Text
            at={`${at}.${i}.content`}
            label={b.type === 'BUTTON' ? `Button ${i + 1}: text` : `Text ${i + 1}`}
            lines={b.type === 'TEXT' ? 3 : undefined}
            value={b.content}
            onChange={(content) => set(i, { content })}
          />
          <div className="filters">
            {b.type === 'BUTTON' && (
              <Text
                label={t('blocks.buttonNURL', { n: i + 1 })}
                at={`${at}.${i}.url`}
                value={b.url ?? ''}
                onChange={(url) => set(i, { url })}
              />
            )}
            <Select
              label={t('blocks.blockNAlignment', { n: i + 1 })}
              value={b.styles?.textAlign ?? 'LEFT'}
              onChange={(v) => set(i, { styles: { textAlign: v as TextAlign } })}
              options={['LEFT', 'CENTER', 'RIGHT'] satisfies TextAlign[]}
            />
            <span className="row">
              <Button
                icon={ArrowUp}
                aria-label={t('blocks.moveBlockNUp', { n: i + 1 })}
                disabled={i === 0}
                onClick={() => swap(i, i - 1)}
              >
                {t('blocks.up')}
              </Button>
              <Button
                icon={ArrowDown}
                aria-label={t('blocks.moveBlockNDown', { n: i + 1 })}
                disabled={i === blocks.length - 1}
                onClick={() => swap(i, i + 1)}
              >
                {t('blocks.down')}
              </Button>
              <Button
                icon={Trash2}
                aria-label={t('blocks.removeBlockN', { n: i + 1 })}
                onClick={() => onChange(blocks.filter((_, k) => k !== i))}
              >
                {t('common.remove')}
              </Button>
            </span>
          </div>
        </div>
      ))}
      <div className="row">
        <Button icon={Plus} onClick={() => add('TEXT')}>
          {t('common.addText')}
        </Button>
        <Button icon={Plus} onClick={() => add('BUTTON')}>
          {t('blocks.addButton')}
        </Button>
      </div>
    </fieldset>
  )
}

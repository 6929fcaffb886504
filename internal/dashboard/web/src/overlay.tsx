import * as Radix from '@radix-ui/react-dialog'
import * as RadixMenu from '@radix-ui/react-dropdown-menu'
import * as RadixPopover from '@radix-ui/react-popover'
import * as RadixTooltip from '@radix-ui/react-tooltip'
import { Check, type LucideIcon, X } from 'lucide-react'
import { createContext, type ReactNode, useContext, useRef, useState } from 'react'
import { Button, type Look } from './button'
import type { MemberRole } from './gql'
import { useMay } from './role'
import { t } from './text/text'

/** Whether the page is shown; while it is not, because the log-in ended, what lies above it is not either. */
export const Shown = createContext(true)

/** Whether what is shown lies in a dialog. */
export const InDialog = createContext(false)

/**
 * A modal dialog. The focus begins at its first field or button, and returns to where it was. A press beside it closes it unless something was
 * typed in it.
 */
export function Dialog({
  title,
  onClose,
  alert,
  children,
}: {
  title: string
  onClose: () => void
  alert?: boolean
  children: ReactNode
}) {
  const [opener] = useState(() => document.activeElement)
  const typed = useRef(false)
  return (
    <Radix.Root open={useContext(Shown)} onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="backdrop" />
        <Radix.Content
          className="dialog stack"
          role={alert ? 'alertdialog' : 'dialog'}
          aria-describedby={undefined}
          onInput={() => {
            typed.current = true
          }}
          onInteractOutside={(e) => typed.current && e.preventDefault()}
          onCloseAutoFocus={(e) => {
            e.preventDefault()
            if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
          }}
        >
          <Radix.Title className="title">{title}</Radix.Title>
          <InDialog value={true}>{children}</InDialog>
          <Radix.Close className="button square quiet close" aria-label={t('ui.close')}>
            <X aria-hidden className="icon" />
          </Radix.Close>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** A question before something that is hard to undo. */
export function Question({
  title,
  question,
  yes,
  no = t('common.cancel'),
  onYes,
  onNo,
}: {
  title: string
  question: ReactNode
  yes: string
  no?: string
  onYes: () => void
  onNo: () => void
}) {
  return (
    <Dialog title={title} onClose={onNo} alert>
      {typeof question === 'string' ? <p>{question}</p> : question}
      <div className="row end">
        <Button onClick={onNo}>{no}</Button>
        <Button
          look="danger"
          onClick={() => {
            onNo()
            onYes()
          }}
        >
          {yes}
        </Button>
      </div>
    </Dialog>
  )
}

/** A button that asks once more. */
export function Confirm({
  label,
  question,
  no,
  onConfirm,
  busy,
  needs = 'EDITOR',
  icon,
  look = 'danger',
}: {
  label: string
  question: string
  no?: string
  onConfirm: () => void
  busy?: boolean
  needs?: MemberRole
  icon?: LucideIcon
  look?: Look
}) {
  const [open, setOpen] = useState(false)
  if (!useMay(needs)) return null
  return (
    <>
      <Button look={look} icon={icon} disabled={busy} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {open && (
        <Question title={label} question={question} yes={label} no={no} onYes={onConfirm} onNo={() => setOpen(false)} />
      )}
    </>
  )
}

/** A short text beside what it explains, while that has the pointer or the focus. */
export function Tooltip({ text, children }: { text: ReactNode; children: ReactNode }) {
  return (
    <RadixTooltip.Root>
      <RadixTooltip.Trigger asChild>{children}</RadixTooltip.Trigger>
      <RadixTooltip.Portal>
        <RadixTooltip.Content className="tooltip" sideOffset={6} collisionPadding={8}>
          {text}
        </RadixTooltip.Content>
      </RadixTooltip.Portal>
    </RadixTooltip.Root>
  )
}

/** What tooltips share. */
export const Tooltips = ({ children }: { children: ReactNode }) => (
  <RadixTooltip.Provider delayDuration={400}>{children}</RadixTooltip.Provider>
)

/** A menu that a button opens. */
export function Menu({
  trigger,
  children,
  align = 'start',
}: {
  trigger: ReactNode
  children: ReactNode
  align?: 'start' | 'end'
}) {
  const shown = useContext(Shown)
  const [open, setOpen] = useState(false)
  return (
    <RadixMenu.Root open={open && shown} onOpenChange={setOpen} modal={false}>
      <RadixMenu.Trigger asChild>{trigger}</RadixMenu.Trigger>
      <RadixMenu.Portal>
        <RadixMenu.Content className="floating menu" align={align} sideOffset={4} collisionPadding={8} loop>
          {children}
        </RadixMenu.Content>
      </RadixMenu.Portal>
    </RadixMenu.Root>
  )
}

export function MenuItem({
  icon: Icon,
  danger,
  onSelect,
  disabled,
  children,
}: {
  icon?: LucideIcon
  danger?: boolean
  onSelect: () => void
  disabled?: boolean
  children: ReactNode
}) {
  return (
    <RadixMenu.Item className={danger ? 'item danger' : 'item'} onSelect={onSelect} disabled={disabled}>
      {Icon ? <Icon aria-hidden className="icon" /> : <span className="icon" />}
      {children}
    </RadixMenu.Item>
  )
}

/** A choice among some in a menu. */
export function MenuChoice({
  value,
  onChange,
  options,
}: {
  value: string
  onChange: (value: string) => void
  options: readonly { value: string; label: ReactNode }[]
}) {
  return (
    <RadixMenu.RadioGroup value={value} onValueChange={onChange}>
      {options.map((o) => (
        <RadixMenu.RadioItem key={o.value} value={o.value} className="item">
          <span className="icon">
            <RadixMenu.ItemIndicator>
              <Check aria-hidden className="icon" />
            </RadixMenu.ItemIndicator>
          </span>
          {o.label}
        </RadixMenu.RadioItem>
      ))}
    </RadixMenu.RadioGroup>
  )
}

/** Something that is on or off, in a menu that stays open. */
export function MenuCheck({
  on,
  onChange,
  disabled,
  children,
}: {
  on: boolean
  onChange: (on: boolean) => void
  disabled?: boolean
  children: ReactNode
}) {
  return (
    <RadixMenu.CheckboxItem
      className="item"
      checked={on}
      disabled={disabled}
      onCheckedChange={onChange}
      onSelect={(e) => e.preventDefault()}
    >
      <span className="icon">
        <RadixMenu.ItemIndicator>
          <Check aria-hidden className="icon" />
        </RadixMenu.ItemIndicator>
      </span>
      {children}
    </RadixMenu.CheckboxItem>
  )
}

export const MenuTitle = ({ children }: { children: ReactNode }) => (
  <RadixMenu.Label className="item-title">{children}</RadixMenu.Label>
)

export const MenuLine = () => <RadixMenu.Separator className="item-line" />

/** A small panel that a button opens. */
export function Popover({ trigger, label, children }: { trigger: ReactNode; label: string; children: ReactNode }) {
  const shown = useContext(Shown)
  const [open, setOpen] = useState(false)
  return (
    <RadixPopover.Root open={open && shown} onOpenChange={setOpen}>
      <RadixPopover.Trigger asChild>{trigger}</RadixPopover.Trigger>
      <RadixPopover.Portal>
        <RadixPopover.Content className="floating popover stack" aria-label={label} sideOffset={4} collisionPadding={8}>
          {children}
        </RadixPopover.Content>
      </RadixPopover.Portal>
    </RadixPopover.Root>
  )
}

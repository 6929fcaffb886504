import { RotateCw } from 'lucide-react'
import { Component, type ReactNode } from 'react'
import { Button } from './button'
import { t } from './text/text'
import { Failure } from './ui'

/** Loads the page anew. */
export function Again() {
  return (
    <div>
      <Button icon={RotateCw} onClick={() => location.reload()}>
        {t('broken.reloadPage')}
      </Button>
    </div>
  )
}

type Failing = { error?: Error; at?: string }

/** Says that a page, or what says otherwise names, failed, until another one is at its place. */
export class Broken extends Component<
  { children: ReactNode; at?: string; says?: (error: Error) => ReactNode },
  Failing
> {
  override state: Failing = {}
  static getDerivedStateFromError = (error: Error): Failing => ({ error })
  static getDerivedStateFromProps = ({ at }: { at?: string }, state: Failing): Failing | null =>
    at === state.at ? null : { at, error: undefined }
  override render() {
    if (!this.state.error) return this.props.children
    if (this.props.says) return this.props.says(this.state.error)
    return (
      <>
        <h1>{t('broken.somethingWentWrongOnThis')}</h1>
        <Failure error={this.state.error} />
        <Again />
      </>
    )
  }
}

import { useMemo } from 'react'
import { Code, type CodeProps } from '../code/code'
import { useAround } from './around'
import { JSONField } from './json'

/**
 * What the templates of a control see, and what the server found in them. at names the kind of step, then the control. All blocks are
 * one control: what is found in them is shown where the variable that it names is.
 */
function useTemplate(at: string) {
  const { payloadSchema, earlier, issues } = useAround()
  const shared = at.includes('.blocks.')
  const control = shared ? 'body' : at.slice(at.indexOf('.') + 1).replace(/^html$/, 'body')
  return useMemo(
    () => ({
      place: 'step' as const,
      payloadSchema,
      earlier: earlier.flatMap((step) => step.stepId ?? []),
      issues: issues?.filter(({ key, variableName }) => key === control && (variableName || !shared)),
    }),
    [payloadSchema, earlier, issues, control, shared],
  )
}

/** A text of a step, which is a template. */
export function Template({
  html,
  hint = 'Liquid: {{ subscriber.firstName }}, {{ payload.anything }}',
  ...rest
}: Omit<CodeProps, 'language' | 'knows'> & { html?: boolean; at: string }) {
  const template = useTemplate(rest.at)
  const knows = useMemo(() => ({ template }), [template])
  return <Code {...rest} hint={hint} language={html ? 'html' : 'liquid'} knows={knows} />
}

/** A text of a step in one line, which is a template. */
export const TemplateLine = (props: Omit<CodeProps, 'language' | 'knows' | 'line' | 'lines'> & { at: string }) => (
  <Template hint="" {...props} line />
)

/** JSON of a step, whose texts are templates. */
export function TemplateJSON(props: Omit<Parameters<typeof JSONField>[0], 'template'> & { at: string }) {
  return <JSONField {...props} template={useTemplate(props.at)} />
}

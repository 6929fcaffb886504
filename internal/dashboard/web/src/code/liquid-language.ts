import { html, htmlCompletionSource } from '@codemirror/lang-html'
import { liquid } from '@codemirror/lang-liquid'
import { LanguageSupport, StreamLanguage } from '@codemirror/language'

/** Text without any marks of its own. */
const plain = new LanguageSupport(
  StreamLanguage.define({
    token(stream) {
      stream.skipToEnd()
      return null
    },
  }),
)

/** Templates in HTML, or in plain text. */
export const templates = (inHTML: boolean) => liquid({ base: inHTML ? html() : plain })

export { htmlCompletionSource }

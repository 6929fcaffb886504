import { APIError, Unanswered } from './errors'

/** Reports whether a change was refused because its record was changed elsewhere since the revision that it is based on. */
export const isConflict = (error?: Error) =>
  error instanceof APIError && /^(WORKFLOW|LAYOUT|SNIPPET|TRANSLATION)_CHANGED$/.test(error.code ?? '')

type Send<T, S> = (value: T, base: string | undefined) => Promise<S>

/** Saves the values of one record, each based on the revision of the one before, so that none overwrites what was saved elsewhere. */
export class Based<T, S> {
  #unanswered?: T

  constructor(
    /** The revision that the next value is based on; undefined: whatever is stored. */
    public base: string | undefined,
    readonly revisionOf: (saved: S) => string,
  ) {}

  /** Whether something may be stored although no answer said so. */
  get unclear() {
    return this.#unanswered !== undefined
  }

  /** Saves a value by send; one before it whose answer was lost is sent by again. */
  async save(value: T, send: Send<T, S>, again = send): Promise<S> {
    // Sent again as it was, it tells its revision, whether it was stored or not. What was edited since is based on that.
    const before = this.#unanswered
    if (before !== undefined && before !== value) await this.#once(before, again)
    return this.#once(value, send)
  }

  async #once(value: T, send: Send<T, S>): Promise<S> {
    try {
      const saved = await send(value, this.base)
      this.base = this.revisionOf(saved)
      this.#unanswered = undefined
      return saved
    } catch (e) {
      if (e instanceof Unanswered) this.#unanswered = value
      throw e
    }
  }
}

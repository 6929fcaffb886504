import { Unanswered } from './errors'

const newID = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(12)), (b) => b.toString(16).padStart(2, '0')).join('')

/**
 * Sends what must not be done twice, with an identifier by which the server knows it again: a value whose answer was lost keeps its
 * identifier when it is sent again.
 */
export class Once {
  #unanswered?: { value: string; id: string }

  async send<R>(value: unknown, send: (id: string) => Promise<R>): Promise<R> {
    const text = JSON.stringify(value)
    const { id } = this.#unanswered?.value === text ? this.#unanswered : { id: newID() }
    this.#unanswered = { value: text, id }
    try {
      const answer = await send(id)
      this.#unanswered = undefined
      return answer
    } catch (e) {
      if (!(e instanceof Unanswered)) this.#unanswered = undefined
      throw e
    }
  }
}

/** What may stand at a place: what is shown, and what is written in place of the text there. */
export type Offer = {
  label: string
  /** What is written; the cursor comes behind so many of its characters. */
  insert: string
  cursor: number
  /** What it is, beside the label. */
  detail?: string
  kind: 'property' | 'value' | 'variable' | 'function' | 'keyword' | 'text'
  /** Whether it comes before the others. */
  first?: boolean
  /** Whether more is offered once it is written. */
  again?: boolean
}

/** What may stand at a position, in place of the text between from and to. */
export type Offers = { from: number; to: number; offers: Offer[] }

/** Computes what may stand at a position of a text. */
export type Offering = (text: string, position: number) => Offers | undefined | Promise<Offers | undefined>

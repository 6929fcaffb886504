/** What is known of the content of a field for code, to complete and to check it. */
export type Knowledge = {
  /** The JSON Schema of JSON, or what JSON is: a JSON Schema itself, a rule over subscribers. */
  schema?: unknown
  /** What templates in it see. */
  template?: Template
}

/** What a template sees, beside what is the same everywhere. */
export type Template = {
  /** Of a step, which sees all; a layout sees its content as well, a snippet its arguments and the environment only. */
  place: 'step' | 'layout' | 'snippet'
  payloadSchema?: unknown
  /** The identifiers of the steps before it. */
  earlier?: readonly string[]
  /** What the server found. */
  issues?: readonly { message: string; variableName: string }[]
}

/** What there is in the environment: names of variables that are not secret, identifiers of snippets, keys of translations. */
export type Names = { variables: readonly string[]; snippets: readonly string[]; keys: readonly string[] }

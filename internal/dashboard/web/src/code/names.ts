import { request } from '../api'
import { SnippetsDocument, TranslationsDocument, VariablesDocument } from '../gql'
import type { Names } from './knowledge'

/** How long names are kept that were asked for, in milliseconds. */
const kept = 30_000

/** Asks for the names of the environment when they are first wanted, and now and then again. What cannot be had is not offered. */
export function namesOnce(): () => Promise<Names> {
  let asked: { at: number; names: Promise<Names> } | undefined
  return () => {
    if (!asked || Date.now() - asked.at > kept) asked = { at: Date.now(), names: namesNow() }
    return asked.names
  }
}

async function namesNow(): Promise<Names> {
  const [variables, snippets, keys] = await Promise.all(
    [
      request(VariablesDocument, { first: 100 }).then((data) =>
        data.variables.nodes.filter((v) => !v.secret).map((v) => v.name),
      ),
      request(SnippetsDocument, { first: 100 }).then((data) => data.snippets.nodes.map((s) => s.identifier)),
      request(TranslationsDocument, { first: 20 }).then((data) => [
        ...new Set(data.translations.nodes.flatMap((texts) => Object.keys(texts.content))),
      ]),
    ].map((names) => names.catch((): string[] => [])),
  )
  return { variables: variables ?? [], snippets: snippets ?? [], keys: keys ?? [] }
}

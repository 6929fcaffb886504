const indent = '  '

/**
 * JSON with a member or an item on each line. Numbers and strings stay as they are written: reading them would round long numbers.
 * A text that is no JSON stays as it is.
 */
export function formatJSON(text: string): string {
  try {
    JSON.parse(text)
  } catch {
    return text
  }
  let out = ''
  let depth = 0
  const line = () => `\n${indent.repeat(depth)}`
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g) ?? []
  tokens.forEach((token, i) => {
    const next = tokens[i + 1]
    if (token === '{' || token === '[') {
      depth++
      out += next === '}' || next === ']' ? token : token + line()
    } else if (token === '}' || token === ']') {
      depth--
      out += tokens[i - 1] === '{' || tokens[i - 1] === '[' ? token : line() + token
    } else if (token === ',') out += token + line()
    else out += token === ':' ? ': ' : token
  })
  return out
}

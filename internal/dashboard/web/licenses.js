// Writes ../../notices/web.txt: the licence of each package that the dashboard's bundle may contain, those of the
// dependencies of dependencies included.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

const read = (path) => readFileSync(path, 'utf8')
const found = new Map()

function visit(name) {
  if (found.has(name)) return
  const folder = `node_modules/${name}`
  const { version, license, dependencies = {} } = JSON.parse(read(`${folder}/package.json`))
  const files = readdirSync(folder)
    .filter((file) => /^(licen[cs]e|notice|copying)([.-].*)?$/i.test(file))
    .sort()
  if (files.length === 0 && !license) throw new Error(`${name} names no licence`)
  const texts = files.map((file) => read(`${folder}/${file}`).replaceAll('\r\n', '\n').trim())
  found.set(name, { version, text: texts.join('\n\n') || `Licence: ${license} (the package carries no text of it)` })
  Object.keys(dependencies).forEach(visit)
}

Object.keys(JSON.parse(read('package.json')).dependencies).forEach(visit)
const notices = [...found]
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([name, { version, text }]) => `\n${'='.repeat(80)}\n${name} ${version}\n\n${text}\n`)
writeFileSync('../../notices/web.txt', `npm packages in the dashboard, with their licences\n${notices.join('')}`)

// Writes icu.json, what ICU itself formats, for the tests: node internal/render/cldr/testdata/icu.mjs > internal/render/cldr/testdata/icu.json
// Left out are locales in which its data (process.versions.cldr) are older than those of data.zip: bg, fr-CH, ko and zh-Hant.
const locales = `en en-IN en-GB de de-AT de-CH fr fr-CA es es-MX pl ru ar-EG ar-AE he hi ja pt pt-PT sv fa zh th tr cs
  it bn uk nl da nb fi hu ro el th vi id sr sr-Latn hr sk sl lt lv et ca en-ZA en-CA ga cy mr te ta mt is gd my ne`.split(/\s+/);
const numbers = ['0', '1', '-1', '7.5', '-0.125', '1234', '12345', '1234567.891', '-9876543210.5', '0.0005', '2.675', '999999', '100000'];
const moments = ['2026-03-05T14:07:09Z', '1999-12-31T23:59:59Z', '2024-02-29T00:00:00Z'];
const date = (l, o, when) => new Intl.DateTimeFormat(l + '-u-ca-gregory-nu-latn', { timeZone: 'UTC', ...o }).format(new Date(when));
const skeletons = {
  yMMMd: { year: 'numeric', month: 'short', day: 'numeric' }, yMMMMd: { year: 'numeric', month: 'long', day: 'numeric' },
  yMMMMEEEEd: { year: 'numeric', month: 'long', day: 'numeric', weekday: 'long' }, yMd: { year: 'numeric', month: 'numeric', day: 'numeric' },
  MMMd: { month: 'short', day: 'numeric' }, yMMMM: { year: 'numeric', month: 'long' }, MMMMd: { month: 'long', day: 'numeric' },
  EEEE: { weekday: 'long' }, yMMMEd: { year: 'numeric', month: 'short', day: 'numeric', weekday: 'short' }, Md: { month: 'numeric', day: 'numeric' },
  HHmm: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }, yMMMdHHmm: { year: 'numeric', month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
};
const out = {};
for (const l of locales) {
  const n = (o) => Object.fromEntries(numbers.map((x) => [x, new Intl.NumberFormat(l + '-u-nu-latn', { roundingMode: 'halfEven', ...o }).format(x)]));
  const fields = Object.entries(skeletons).filter(([s]) => l !== 'th' || !s.includes('H')); // whose pattern has a word that ICU's has not
  const each = (o) => Object.fromEntries(moments.map((m) => [m, date(l, o, m)]));
  out[l] = {
    decimal: n({}), percent: n({ style: 'percent' }), EUR: n({ style: 'currency', currency: 'EUR' }), USD: n({ style: 'currency', currency: 'USD' }),
    JPY: n({ style: 'currency', currency: 'JPY' }), CHF: n({ style: 'currency', currency: 'CHF' }),
    short: n({ notation: 'compact' }), long: n({ notation: 'compact', compactDisplay: 'long' }),
    dates: Object.fromEntries(['short', 'medium', 'long', 'full'].map((s) => [s, each({ dateStyle: s })])),
    times: Object.fromEntries(['short', 'medium'].map((s) => [s, each({ timeStyle: s })])),
    skeletons: Object.fromEntries(fields.map(([s, o]) => [s, each(o)])),
    cardinal: Object.fromEntries(['0', '1', '2', '3', '5', '6', '11', '12', '21', '22', '25', '100', '101', '1000000', '1.5', '0.5'].map((x) => [x, new Intl.PluralRules(l).select(Number(x))])),
    ordinal: Object.fromEntries(['1', '2', '3', '4', '5', '8', '11', '12', '21', '22', '23', '80', '101'].map((x) => [x, new Intl.PluralRules(l, { type: 'ordinal' }).select(Number(x))])),
  };
}
process.stdout.write(JSON.stringify({ cldr: process.versions.cldr, locales: out }) + '\n');

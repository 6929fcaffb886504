import { expect, test } from 'vitest'
import { environmentIn, withEnvironment, withoutEnvironment } from './environment'

const bare = 'https://carillon.example/dashboard/activity?status=FAILED'

test('an address names its environment beside its filters', () => {
  const named = withEnvironment(bare, 'production')
  expect(environmentIn(named)).toBe('production')
  expect(named).toContain('status=FAILED')
  expect(withEnvironment(named, 'development')).not.toContain('production')
  expect(withoutEnvironment(named)).toBe(bare)
  expect(environmentIn(bare)).toBe('')
})

import { expect, test } from 'vitest'
import { includesRole, rolesUpTo } from './ranks'

test('a role includes the roles below it', () => {
  expect(includesRole('ADMIN', 'EDITOR')).toBe(true)
  expect(includesRole('EDITOR', 'EDITOR')).toBe(true)
  expect(includesRole('EDITOR', 'ADMIN')).toBe(false)
  expect(includesRole('KEY', 'VIEWER')).toBe(false)
  expect(includesRole('ORGANIZATION_KEY', 'VIEWER')).toBe(false)
})

test('members give roles up to their own', () => {
  expect(rolesUpTo('ADMIN')).toEqual(['ADMIN', 'EDITOR', 'VIEWER'])
  expect(rolesUpTo('OWNER')).toContain('OWNER')
  expect(rolesUpTo('KEY')).toEqual([])
})

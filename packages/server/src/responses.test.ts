import { expect, test } from 'vitest'
import { securityHeaders } from './responses.ts'

test('[SV245] nobody may frame the page, unless the operator says who', () => {
  const closed = securityHeaders([])
  expect(closed['x-frame-options']).toBe('DENY')
  expect(closed['content-security-policy']).toContain("frame-ancestors 'none'")
  const open = securityHeaders([], { 'frame-ancestors': 'https://portal.example' })
  expect(Object.keys(open)).not.toContain('x-frame-options')
  expect(open['content-security-policy']).toContain('frame-ancestors https://portal.example')
  expect(open['content-security-policy']).toContain("default-src 'none'; script-src 'self'")
})

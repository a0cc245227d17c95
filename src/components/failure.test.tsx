// Sentences of failures.
import { renderHook } from '@testing-library/react'
import { beforeAll, expect, test } from 'vitest'
import { startI18n } from '#src/lib/i18n.ts'
import { SessionChangedError, SessionExpiredError, SignedOutError } from '#src/session/errors.ts'
import { useFailureText } from './failure.tsx'

beforeAll(() => startI18n('en'))

test.each([
  [SessionChangedError, 'Another account has signed in in this browser. Nothing was sent.'],
  [SessionExpiredError, 'Your session has ended. Sign in to continue.'],
  [SignedOutError, 'You are signed out. Sign in to continue.'],
])('names the reason of a request without its session: %o', (Failure, sentence) => {
  const { result } = renderHook(() => useFailureText())
  expect(result.current(new Failure('internal'))).toBe(sentence)
})

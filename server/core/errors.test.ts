// Errors: a key of the texts gives the name for programs and the sentence in each language.
import { expect, test } from 'vitest'
import { AppError, NotFoundError, RetryLaterError, RuleError } from './errors.ts'

test('a key without a text is a type error', () => {
  const raise = [
    // @ts-expect-error: the key has no text
    () => new NotFoundError('ThisPayoutDoesNotExist'),
    // @ts-expect-error: the key has no text
    () => new RuleError('NotEnoughMoney', { missing: 5 }),
    // @ts-expect-error: a sentence is no key
    () => new AppError(400, 'Not verified'),
    // @ts-expect-error: the key has no text
    () => new RetryLaterError(503, 'DiskOver', 5),
  ]
  expect(raise).toHaveLength(4)
})

test('names an unknown path without a name of its own', () => {
  const { name, status, message } = new NotFoundError()
  expect([status, name, message]).toEqual([404, 'NotFound', 'There is nothing here.'])
})

test('several causes have one name, and a sentence each', () => {
  const errors = [new RuleError('CodeClock_ahead', { seconds: 90, reason: 'ahead' }), new RuleError('CodeWrong_app')]
  expect(errors.map(({ name }) => name)).toEqual(['CodeClock', 'CodeWrong'])
  expect(errors[0]?.textIn('ru')).toBe(
    'Часы телефона спешат на 90 с. Включите автоматическую настройку времени и введите новый код.',
  )
})

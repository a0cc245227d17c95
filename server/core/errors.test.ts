// Names of errors: one word for programs; the sentence is the message.
import { expect, test } from 'vitest'
import { AppError, NotFoundError, RetryLaterError, RuleError } from './errors.ts'

test('a sentence as the name of an error is a type error', () => {
  // @ts-expect-error: the name has spaces
  const errors = [new NotFoundError('This payout does not exist')]
  // @ts-expect-error: the name has spaces
  errors.push(new RuleError('Not enough money', 'The balance does not cover it'))
  // @ts-expect-error: the name has spaces
  errors.push(new AppError(400, 'Not verified', 'The message could not be verified'))
  // @ts-expect-error: the name has spaces
  errors.push(new RetryLaterError(503, 'Disk full', 'The disk is full', 5))
  expect(errors).toHaveLength(4)
})

test('names an unknown path without a name of its own', () => {
  const { name, status, message } = new NotFoundError()
  expect([status, name, message]).toEqual([404, 'NotFound', 'There is nothing here'])
})

// The OpenAPI document is valid and contains every operation of the registry.
import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import { operations } from './index.ts'
import { openApi } from './openapi.ts'

const document = openApi({ version: '1.2.3', url: 'https://relay.example' })
const paths = document['paths'] as Record<string, Record<string, { operationId: string; 'x-provenance': string }>>

test('passes a validator of OpenAPI 3.1', async () => {
  const result = await new Validator().validate(document)
  expect(result.errors ?? []).toEqual([])
  expect(result.valid).toBe(true)
})

test('contains every operation once, with its provenance', () => {
  const listed = Object.values(paths).flatMap((methods) => Object.values(methods))
  expect(listed.map((item) => item.operationId).toSorted()).toEqual(operations.map((op) => op.id).toSorted())
  expect(paths['/method/plan_restream']?.['get']?.['x-provenance']).toBe('brief')
  expect(paths['/method/auth/refresh-access']?.['post']?.['x-provenance']).toBe('brief')
})

test('describes the refresh operation as the brief does', () => {
  expect(paths['/method/auth/refresh-access']?.['post']).toMatchObject({
    requestBody: {
      content: {
        'application/json': {
          schema: {
            required: ['v', 'language', 'app', 'refresh'],
            properties: {
              language: { enum: expect.arrayContaining(['ru', 'en', 'cn']) },
              app: { enum: ['site', 'admin', 'mobile', 'desktop'] },
            },
          },
        },
      },
    },
  })
})

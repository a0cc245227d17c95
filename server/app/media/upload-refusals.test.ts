// Refusals of uploads: status and headers of tus, body of the wire, in the language of the request.
import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DetailedError, Upload as Client } from 'tus-js-client'
import { mediaFiles } from '#contract/areas/media/files.ts'
import type { ErrorBody } from '#contract/core/wire.ts'
import { mediaWorld } from '#server/testing/media-shelf.ts'
import type { Person, World } from '#server/testing/test-app.ts'
import { tusClient, type Upload, uploadOf } from '#server/testing/uploads.ts'

let world: World
let close: () => Promise<void>
let ann: Person
let url: string
beforeEach(async () => {
  ;({ world, close } = await mediaWorld('folder', { RECORD_LIMIT: '1' }))
  ann = await world.user()
  url = (await world.app.listen()).url
})
afterEach(() => close())

const piece = { 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' }

/** An upload of 100 bytes, and requests that choose their headers. */
async function begun() {
  const upload = await uploadOf(world, ann)
  const client = tusClient(url, upload)
  expect((await client.create(100)).status).toBe(201)
  const patch = (headers: Record<string, string>, body = 'x', language = 'en') =>
    fetch(`${client.path}?language=${language}`, { method: 'PATCH', headers: { ...client.headers, ...headers }, body })
  return { upload, client, patch }
}

async function shapeOf(answer: Response) {
  const text = await answer.text()
  const { error } = JSON.parse(text) as ErrorBody
  const { headers } = answer
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(headers.get('content-length')).toBe(String(Buffer.byteLength(text)))
  expect(headers.get('x-request-id')).not.toBe(null)
  expect(error).toMatchObject({ options: {}, data: {} })
  const fields = error.validator_error?.map(({ property, constraints }) => [property, Object.keys(constraints ?? {})])
  return [answer.status, error.name, ...(fields ? [fields] : [])]
}

test('what tus refuses has the shape of all errors, with its status', async () => {
  const { patch } = await begun()
  for (const [headers, expected] of [
    [{ ...piece, 'upload-offset': '41' }, [409, 'UploadOffset']],
    [{ ...piece, 'upload-offset': '-1' }, [400, 'I18nValidationException', [['upload-offset', ['invalid']]]]],
    [{ ...piece, 'content-type': 'text/plain' }, [400, 'I18nValidationException', [['content-type', ['invalid']]]]],
    [{ ...piece, 'tus-resumable': '0.2.2' }, [400, 'I18nValidationException', [['tus-resumable', ['invalid']]]]],
    [{ ...piece, 'tus-resumable': '' }, [412, 'I18nValidationException', [['Tus-Resumable', ['missing']]]]],
    [{ 'content-type': piece['content-type'] }, [403, 'I18nValidationException', [['Upload-Offset', ['missing']]]]],
    [{ ...piece, 'upload-length': '1000' }, [400, 'BadRequest']],
  ] as const) {
    const answer = await patch(headers)
    expect(answer.headers.get('tus-resumable')).toBe('1.0.0')
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(await shapeOf(answer)).toEqual(expected)
  }
  expect(await shapeOf(await patch(piece, 'x'.repeat(101)))).toEqual([413, 'UploadTooLong'])
})

test('what the service refuses has the same shape', async () => {
  const { upload, client, patch } = await begun()
  const create = (length: string, headers = client.headers) =>
    fetch(`${url}/uploads`, { method: 'POST', headers: { ...headers, 'upload-length': length } })
  expect(await shapeOf(await create('999999999999999'))).toEqual([400, 'StorageFull'])
  expect(await shapeOf(await patch({ ...piece, 'upload-ticket': 'expired' }))).toEqual([401, 'Unauthorized'])
  await world.app.db
    .updateTable('media_uploads')
    .set({ lock_owner: 'away', lock_until: Date.now() + 60_000 })
    .execute()
  // Three wait, and these are refused at once.
  const sockets = await Promise.all(Array.from({ length: 3 }, () => waitingPiece(upload)))
  expect(await shapeOf(await patch(piece))).toEqual([423, 'UploadLocked'])
  expect(await shapeOf(await create('5'))).toEqual([423, 'UploadLocked'])
  for (const socket of sockets) socket.destroy()
  await world.api(mediaFiles.cancel, { project_id: ann.projectId, media_id: upload.id }, { as: ann })
  expect(await shapeOf(await patch(piece))).toEqual([404, 'UploadGone'])
})

/** Sends a piece that waits for the lock. */
async function waitingPiece({ fileId, ticket }: Upload): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  const headers = { ...piece, host: hostname, 'tus-resumable': '1.0.0', 'upload-ticket': ticket, 'content-length': '1' }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.on('error', () => undefined).write(`PATCH /uploads/${fileId} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\nx`)
  await expect
    .poll(async () => {
      const row = await world.app.db.selectFrom('media_uploads').select('lock_wanted').executeTakeFirstOrThrow()
      return row.lock_wanted
    })
    .toBe(1)
  return socket
}

test('a client of tus reads the reason in its language, and the status', async () => {
  const { upload } = await begun()
  const failed = (length: number, language: string, offset = '0') =>
    new Promise<DetailedError>((resolve, reject) => {
      const client = new Client(Readable.from([randomBytes(length)]), {
        uploadUrl: `${url}/uploads/${upload.fileId}?language=${language}`,
        uploadSize: length,
        chunkSize: length,
        retryDelays: null,
        headers: { 'upload-ticket': upload.ticket },
        onBeforeRequest(request) {
          if (request.getMethod() === 'PATCH') request.setHeader('Upload-Offset', offset)
        },
        onError: (error) => (error instanceof DetailedError ? resolve(error) : reject(error)),
        onSuccess: () => reject(new Error('uploaded')),
      })
      client.start()
    })
  const said = ({ originalResponse }: DetailedError) => {
    const { error } = JSON.parse(originalResponse?.getBody() ?? '') as ErrorBody
    return [originalResponse?.getStatus(), error.name, error.msg]
  }
  expect(said(await failed(100, 'ru', '7'))).toEqual([409, 'UploadOffset', expect.stringMatching(/^Эта часть/)])
  expect(said(await failed(100, 'cn', '7'))).toEqual([409, 'UploadOffset', expect.stringMatching(/^此分段/)])
})

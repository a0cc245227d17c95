// A client of tus, request by request.
import { uploadsPath, uploadTicketHeader } from '#contract/entities/media.ts'
import { mediaFiles } from '#contract/areas/media/files.ts'
import type { App } from '#server/app/create-app.ts'
import type { Person, World } from './test-app.ts'

/** An upload of a film. */
export interface Upload {
  readonly id: number
  readonly fileId: string
  readonly ticket: string
}

/** Adds a film and returns the permission to upload it. */
export async function uploadOf(world: World, person: Person, through?: App): Promise<Upload> {
  const of = { project_id: person.projectId }
  const options = { as: person, ...(through && { through }) }
  const { media_id: id } = (await world.api(mediaFiles.add, of, options)).body
  const { file_id: fileId, ticket } = (await world.api(mediaFiles.session, { ...of, media_id: id }, options)).body
  return { id, fileId, ticket }
}

/** Requests of a tus client at a service. */
export function tusClient(url: string, { fileId, ticket }: Upload) {
  const headers = { 'tus-resumable': '1.0.0', [uploadTicketHeader]: ticket }
  const path = `${url}${uploadsPath}/${fileId}`
  return {
    path,
    headers,
    create: (length: number, metadata = '') =>
      fetch(`${url}${uploadsPath}`, {
        method: 'POST',
        headers: { ...headers, 'upload-length': String(length), ...(metadata && { 'upload-metadata': metadata }) },
      }),
    /** @returns the offset; null: there is no upload */
    async offset(): Promise<number | null> {
      const answer = await fetch(path, { method: 'HEAD', headers })
      return answer.ok ? Number(answer.headers.get('upload-offset')) : null
    },
    patch: (from: number, body: string | Uint8Array<ArrayBuffer>, signal?: AbortSignal) =>
      fetch(path, {
        method: 'PATCH',
        headers: { ...headers, 'content-type': 'application/offset+octet-stream', 'upload-offset': String(from) },
        body,
        ...(signal && { signal }),
      }),
    remove: () => fetch(path, { method: 'DELETE', headers }),
  }
}

/** Uploads a whole file in one piece. */
export async function uploadWhole(url: string, upload: Upload, content: Uint8Array<ArrayBuffer>): Promise<void> {
  const client = tusClient(url, upload)
  const created = await client.create(content.length)
  if (created.status !== 201) throw new Error(`${created.status} ${await created.text()}`)
  const patched = await client.patch(0, content)
  if (patched.status !== 204) throw new Error(`${patched.status} ${await patched.text()}`)
}

// Parser of multipart forms: text fields, and files as uploads of the contract.
import type {} from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { AppError, ValidationError } from './errors.ts'

/**
 * Reads a whole form. The registration of the parser limits its size.
 * @throws ValidationError when a field is repeated
 */
export async function readForm(request: FastifyRequest): Promise<Record<string, unknown>> {
  try {
    return await readParts(request)
  } catch (error) {
    // The parser throws plain errors for a truncated form; errors of the framework have a status.
    if (error instanceof AppError || Object.hasOwn(error as object, 'statusCode')) throw error
    throw new AppError(400, 'BadRequest_form')
  }
}

async function readParts(request: FastifyRequest): Promise<Record<string, unknown>> {
  const fields = new Map<string, unknown>()
  for await (const part of request.parts()) {
    if (fields.has(part.fieldname)) {
      throw new ValidationError([{ property: part.fieldname, text: 'once' }])
    }
    fields.set(part.fieldname, part.type === 'file' ? asUpload(await part.toBuffer(), part.mimetype) : part.value)
  }
  return Object.fromEntries(fields)
}

const asUpload = (content: Buffer, type: string) => ({
  size: content.byteLength,
  type,
  arrayBuffer: async () => content.buffer.slice(content.byteOffset, content.byteOffset + content.byteLength),
})

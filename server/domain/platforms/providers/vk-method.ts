// Methods of VK's API (dev.vk.com/method).
import * as z from 'zod/mini'
import type { ApiRequest, ProviderApi } from './api.ts'

const base = 'https://api.vk.com/method'
const version = '5.199'

/**
 * Calls a method.
 * @param answer schema of the `response` in the answer
 * @throws the errors of `ProviderApi.call`
 */
export async function vkMethod<O>(
  api: ProviderApi,
  name: string,
  form: NonNullable<ApiRequest['form']>,
  answer: z.ZodMiniType<O>,
): Promise<O> {
  const request = { url: `${base}/${name}`, form: { ...form, v: version } }
  return (await api.call(request, z.object({ response: answer }))).response
}

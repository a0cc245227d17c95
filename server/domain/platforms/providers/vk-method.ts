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
export async function vkMethod<T extends z.ZodMiniType>(
  api: ProviderApi,
  name: string,
  form: NonNullable<ApiRequest['form']>,
  answer: T,
): Promise<z.output<T>> {
  const request = { url: `${base}/${name}`, form: { ...form, v: version } }
  const { response } = (await api.call(request, z.object({ response: answer as z.ZodMiniType }))) as {
    response: unknown
  }
  return response as z.output<T>
}

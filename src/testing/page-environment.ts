// Vitest's jsdom environment with the byte arrays and forms of Node: the service shares the process, its libraries check
// `instanceof Uint8Array`, and `fetch` is Node's. The WebSocket of jsdom refuses the events of jsdom, that of `ws` does not.
import { WebSocket } from 'ws'
import { builtinEnvironments, type Environment } from 'vitest/runtime'

const { jsdom } = builtinEnvironments

const environment: Environment = {
  ...jsdom,
  name: 'page',
  async setup(global: Record<string, unknown>, options) {
    const { ArrayBuffer, Uint8Array, Uint8ClampedArray, Uint16Array, Uint32Array } = globalThis
    const { Int8Array, Int16Array, Int32Array, Float32Array, Float64Array } = globalThis
    const unsigned = { ArrayBuffer, Uint8Array, Uint8ClampedArray, Uint16Array, Uint32Array }
    const signed = { Int8Array, Int16Array, Int32Array, Float32Array, Float64Array }
    const { Blob, File, FormData } = globalThis
    const environmentOfJsdom = await jsdom.setup(global, options)
    const ofJsdom = global['FormData'] as typeof FormData
    /** FormData of Node, which the constructor fills from a form of jsdom as well. */
    class FormDataOfForm extends FormData {
      constructor(form?: HTMLFormElement, submitter?: HTMLElement | null) {
        super()
        if (form) for (const [name, value] of new ofJsdom(form, submitter)) this.append(name, value)
      }
    }
    Object.assign(global, unsigned, signed, { Blob, File, FormData: FormDataOfForm, WebSocket })
    return environmentOfJsdom
  },
}

export default environment

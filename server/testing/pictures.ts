// Pictures of tests.
import type { Services } from '#server/core/context.ts'
import { addPicture } from '#server/domain/media/files.ts'

/** Beginning of a JPEG of this size. */
export const somePicture = (width = 160, height = 90): File =>
  new File(
    [Uint8Array.from([0xff, 0xd8, 0xff, 0xc0, 0, 17, 8, height >> 8, height & 255, width >> 8, width & 255, 3])],
    'picture.jpg',
    { type: 'image/jpeg' },
  )

/** Adds a picture to a project. */
export const addSomePicture = (services: Services, projectId: number, name = 'Pause') =>
  addPicture(services, projectId, { name, upload: somePicture() })

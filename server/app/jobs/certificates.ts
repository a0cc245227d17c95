// Daily renewal of the certificate that `certificate` ordered.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { dayMs, hourMs } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import type { JobKind } from '#server/core/jobs.ts'
import type { Config } from '#server/core/settings.ts'
import { isRenewalDue } from '#server/app/ops/certificate-files.ts'

/** Time for an order, milliseconds. */
const orderMs = 10 * 60_000

/**
 * Returns the kind of a service with HTTPS. The order runs in a process of its own: the library takes 41 MB.
 * @param program file that runs commands
 */
export function certificateKindsOf(config: Config, program = process.argv[1] ?? ''): readonly JobKind[] {
  if (config.tls === null) return []
  return [
    {
      kind: 'installation.certificate',
      everyMs: dayMs,
      atOnce: 1,
      backoff: { firstMs: hourMs, mostMs: dayMs },
      parkAfter: 'never',
      leaseMs: 2 * orderMs,
      async run({ clock }: Services) {
        if (!(await isRenewalDue(config, clock.now()))) return 'done'
        await promisify(execFile)(process.execPath, [program, 'certificate', 'renew'], {
          env: process.env,
          timeout: orderMs,
        }).catch(({ stderr, message }: Error & { readonly stderr?: string }) => {
          throw new Error(`The certificate was not renewed: ${stderr?.trim().split('\n').at(-1) || message}`)
        })
        return 'done'
      },
    },
  ]
}

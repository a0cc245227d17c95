// API operations that the service implements.
import multipart from '@fastify/multipart'
import type { FastifyInstance } from 'fastify'
import { mediaLimits } from '#contract/entities/media.ts'
import type { Services } from '#server/core/context.ts'
import { AppError, ForbiddenError } from '#server/core/errors.ts'
import { type Operates, serveOperations, type Written } from '#server/core/http.ts'
import type { Route } from '#server/core/implement.ts'
import { proveFresh } from '#server/domain/account/credentials.ts'
import { hasFactor } from '#server/domain/account/second-step.ts'
import { getInstallation, hasOperator } from '#server/domain/installation/store.ts'
import { admit } from '#server/domain/projects/access.ts'
import { routes as routesByGroup } from './routes.gen.ts'

const routes: readonly Route[] = Object.values(routesByGroup).flat()
const hasForm = ({ op }: Route) => op.placement === 'multipart'

/** Registers a route for each implemented operation. @param written called after each write that succeeded */
export async function serveApi(server: FastifyInstance, services: Services, written: Written): Promise<void> {
  const operates: Operates = async (all, user, { kind }) => {
    if (!(await hasOperator(all.db, user.id))) throw new ForbiddenError()
    if ((await getInstallation(all.db)).second_factor !== 'none' && !(await hasFactor(all.db, user.id)))
      throw new AppError(403, 'SecondFactorDemanded')
    // What operators change is money, people and prices. A token was made by a fresh sign-in.
    if (kind === 'write' && !user.grant) await proveFresh(all, user)
  }
  const edge = { admit, operates, written }
  serveOperations(
    server,
    routes.filter((route) => !hasForm(route)),
    services,
    edge,
  )
  // The multipart parser runs for every call of its scope. Use cases have smaller limits of their own.
  await server.register(async (scope) => {
    await scope.register(multipart, {
      limits: { fileSize: mediaLimits.bytes, files: 1, fields: 20, fieldSize: 10_000, parts: 21 },
    })
    serveOperations(scope, routes.filter(hasForm), services, edge)
  })
}

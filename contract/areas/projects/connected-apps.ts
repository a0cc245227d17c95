// Third-party apps that members connected to a project. Ours: none of it is published.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { read, write } from '#contract/core/operation.ts'
import { Id, InProject, listOf, Success } from '#contract/core/wire.ts'
import { ConnectedApp } from '#contract/entities/connected-app.ts'

export const connectedApps = group(
  'projects.connected-apps',
  { prefix: 'project/connected-apps', title: 'ProjectConnectedApps', stale: ['projects.connected-apps'] },
  {
    list: read('', {
      name: 'Apps that are connected to a project',
      input: InProject,
      output: listOf(ConnectedApp),
      auth: 'owner',
      scope: 'session',
      provenance: 'decided',
    }),
    disconnect: write('POST', 'disconnect', {
      name: 'Disconnect an app of any member',
      input: z.extend(InProject, { grant_id: Id }),
      output: Success,
      auth: 'owner',
      scope: 'session',
      revokes: true,
      provenance: 'decided',
    }),
  },
)

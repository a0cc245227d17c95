import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import type * as z from 'zod/mini'
import { auth } from '#contract/areas/account/auth.ts'
import { projects } from '#contract/areas/projects/projects.ts'
import type { ProjectMember } from '#contract/entities/project.ts'
import { roleCan } from '#contract/entities/roles.ts'
import { q } from '#src/api/query.ts'

export type Member = z.output<typeof ProjectMember>

/** Returns the project of the page, its members, and the role of the signed-in user. */
export function useTeam() {
  const projectId = Number(useParams()['projectId'])
  const info = useQuery(q(projects.info, { project_id: projectId }))
  const members = useQuery(q(projects.members, { project_id: projectId }))
  const { data: me } = useQuery({ ...q(auth.me, {}), staleTime: 300_000, retry: false })
  return {
    projectId,
    info,
    members,
    myId: me?.id ?? null,
    isOwner: info.data !== undefined && roleCan(info.data.access.access_type, 'owner'),
  }
}

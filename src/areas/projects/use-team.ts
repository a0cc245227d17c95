import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import type * as z from 'zod/mini'
import { auth } from '#contract/areas/account/auth.ts'
import { projects } from '#contract/areas/projects/projects.ts'
import { type ProjectMember, roles } from '#contract/entities/project.ts'
import { q } from '#src/api/query.ts'

export type Member = z.output<typeof ProjectMember>

const owner = roles.indexOf('owner')

/** The project of the page, and what the signed-in person is in it. */
export function useTeam() {
  const projectId = Number(useParams()['projectId'])
  const info = useQuery(q(projects.info, { project_id: projectId }))
  const members = useQuery(q(projects.members, { project_id: projectId }))
  const { data: me } = useQuery({ ...q(auth.me, {}), staleTime: 300_000, retry: false })
  return { projectId, info, members, myId: me?.id ?? null, isOwner: info.data?.access.access_type === owner }
}

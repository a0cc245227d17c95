import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type * as z from 'zod/mini'
import { auth } from '#contract/areas/account/auth.ts'
import { type ProjectMember, roles } from '#contract/entities/project.ts'
import { q } from '#src/api/query.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Row, RowList } from '#src/ui/row-list.tsx'
import styles from './projects.module.css'

type Member = z.output<typeof ProjectMember>

/** Who is in the project, and what each of them may do. */
export function Members({ members }: { members: readonly Member[] }) {
  const { t } = useTranslation('projects')
  const { data: me } = useQuery({ ...q(auth.me, {}), staleTime: 300_000, retry: false })
  return (
    <RowList>
      {members.map((member) => {
        const name = [member.name, member.fename].filter(Boolean).join(' ') || t('members.unnamed')
        const role = roles[member.access_type]
        return (
          <Row
            key={member.user_id}
            lead={
              member.photo_50 ? (
                <img src={member.photo_50} alt="" width={38} height={38} className={styles.photo} />
              ) : (
                <span className={styles.photo} aria-hidden>
                  {name.slice(0, 1)}
                </span>
              )
            }
            title={
              <>
                {name} {member.user_id === me?.id && <Badge tone="accent">{t('members.you')}</Badge>}
              </>
            }
            about={`${t(`role.${role}`)} ${t(`roleMay.${role}`)}`}
          />
        )
      })}
    </RowList>
  )
}

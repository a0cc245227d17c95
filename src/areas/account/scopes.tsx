// Boxes that choose the scopes of an API token or an app.
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { type Scope, type ScopeGroup, scopeGroups } from '#contract/core/scopes.ts'
import { useInstallation } from '#src/components/use-installation.ts'
import { Checkbox } from '#src/ui/checkbox.tsx'
import styles from './account.module.css'

interface Props {
  readonly label: string
  readonly value: readonly Scope[]
  readonly error?: string | undefined
  /** An app, or a token of one project: it cannot have scopes of operators. */
  readonly isForProject?: boolean
  readonly onChange: (value: Scope[]) => void
}

/** Groups of scopes that the user can grant. */
function useGroups(isForProject: boolean): readonly ScopeGroup[] {
  const { hasPlans, isOperator } = useInstallation()
  const hidden: readonly ScopeGroup[] = [
    ...(hasPlans ? [] : ['billing' as const]),
    ...(isOperator && !isForProject ? [] : ['operator' as const]),
  ]
  return scopeGroups.filter((group) => !hidden.includes(group))
}

/** Choice of scopes, by group. */
export function ScopeChoice({ label, value, error, isForProject = false, onChange }: Props) {
  const { t } = useTranslation('apps')
  const id = useId()
  const has = (scope: Scope) => value.includes(scope)
  const set = (scope: Scope, isOn: boolean) =>
    onChange([...value.filter((one) => one !== scope), ...(isOn ? [scope] : [])])
  const words = (name: ScopeGroup | 'control') => (
    <span className={styles.scopeWords}>
      <strong id={`${id}-${name}`}>{t(`scope.${name}.title`)}</strong>
      <span id={`${id}-${name}-text`}>{t(`scope.${name}.text`)}</span>
    </span>
  )
  return (
    <fieldset className={styles.scopes} aria-describedby={error ? `${id}-error` : undefined}>
      <legend>{label}</legend>
      <label className={styles.scope}>
        <Checkbox
          aria-labelledby={`${id}-control`}
          aria-describedby={`${id}-control-text`}
          checked={has('control')}
          onChange={(event) => set('control', event.currentTarget.checked)}
        />
        {words('control')}
      </label>
      {useGroups(isForProject).map((group) => (
        <div key={group} className={styles.scope}>
          {words(group)}
          {(['read', 'write'] as const).map((level) => (
            <label key={level} className={styles.scopeBox}>
              <Checkbox
                aria-label={t(`choose.${level}`, { name: t(`scope.${group}.title`) })}
                aria-describedby={`${id}-${group}-text`}
                // Changes include reads.
                checked={has(`${group}:${level}`) || has(`${group}:write`)}
                disabled={level === 'read' && has(`${group}:write`)}
                onChange={(event) => set(`${group}:${level}`, event.currentTarget.checked)}
              />
              {t(`level.${level}`)}
            </label>
          ))}
        </div>
      ))}
      {error && (
        <p id={`${id}-error`} className={styles.error} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  )
}

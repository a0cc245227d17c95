import { IconApps } from '@tabler/icons-react'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { apps, appLimits, type RegisteredApp } from '#contract/areas/account/apps.ts'
import type { Output } from '#contract/core/operation.ts'
import { appScopes, type Scope } from '#contract/core/scopes.ts'
import { useWrite } from '#src/api/query.ts'
import { useFailureText } from '#src/components/failure.tsx'
import type { Form } from '#src/components/form/use-form.ts'
import { useWriteForm } from '#src/components/form/use-write-form.ts'
import { Dialog } from '#src/ui/dialog.tsx'
import { DialogForm } from '#src/ui/dialog-form.tsx'
import { SelectField } from '#src/ui/select-field.tsx'
import { TextArea } from '#src/ui/text-area.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import { PictureField } from './picture-field.tsx'
import { ScopeChoice } from './scopes.tsx'

interface Props {
  /** null: a new one. */
  readonly app: RegisteredApp | null
  readonly onCreated: (created: Output<typeof apps.create>) => void
  readonly onClose: () => void
}

interface Values {
  readonly [name: string]: unknown
  readonly name: string
  readonly website: string
  readonly redirect_uris: string
  readonly kind: 'server' | 'public'
  readonly scopes: readonly Scope[]
}

const fieldsOf = ({ name, website, redirect_uris: uris, scopes }: Values) => ({
  name: name.trim(),
  website: website.trim(),
  redirect_uris: uris
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean),
  scopes: [...scopes],
})

/** Dialog that registers an app, or changes one. */
export function AppDialog(props: Props) {
  return props.app === null ? <NewApp {...props} /> : <ChangedApp {...props} app={props.app} />
}

function useMessages() {
  const { t } = useTranslation('apps', { keyPrefix: 'own' })
  return {
    name: t('nameMissing'),
    website: t('websiteWrong'),
    redirect_uris: t('urisWrong'),
    scopes: t('scopesMissing'),
  }
}

function NewApp({ onCreated, onClose }: Props) {
  const { t } = useTranslation('apps', { keyPrefix: 'own' })
  const form = useWriteForm({
    op: apps.create,
    area: 'account',
    values: blank,
    inputOf: (values) => ({ ...fieldsOf(values), is_public: values.kind === 'public' }),
    messages: useMessages(),
    refusals: { WebsiteInvalid: 'website', RedirectUriInvalid: 'redirect_uris' },
    onSuccess: onCreated,
  })
  return (
    <AppForm
      title={t('addTitle')}
      submit={t('add')}
      form={form}
      onClose={onClose}
      kind={
        <SelectField
          label={t('kind')}
          choices={[
            { value: 'server', label: t('kindServer') },
            { value: 'public', label: t('kindPublic') },
          ]}
          {...form.field('kind')}
        />
      }
    />
  )
}

function ChangedApp({ app, onClose }: Props & { readonly app: RegisteredApp }) {
  const { t } = useTranslation('apps', { keyPrefix: 'own' })
  const form = useWriteForm({
    op: apps.update,
    area: 'account',
    values: useMemo(() => valuesOf(app), [app]),
    inputOf: (values) => ({ app_id: app.id, ...fieldsOf(values) }),
    messages: useMessages(),
    refusals: { WebsiteInvalid: 'website', RedirectUriInvalid: 'redirect_uris' },
    onSuccess: onClose,
  })
  return (
    <AppForm
      title={t('editTitle', { name: app.name })}
      submit={t('save')}
      form={form}
      onClose={onClose}
      picture={<AppPicture app={app} />}
    />
  )
}

/** Picture of an app, uploaded as soon as it is chosen. */
function AppPicture({ app }: { readonly app: RegisteredApp }) {
  const { t } = useTranslation('apps', { keyPrefix: 'own.picture' })
  const why = useFailureText('account')
  const write = useWrite(apps.picture)
  return (
    <PictureField
      texts={{ alt: t('alt', { name: app.name }), choose: t('choose'), replace: t('replace') }}
      saved={write.data?.picture ?? app.picture}
      placeholder={<IconApps size={36} stroke={1.4} />}
      file={undefined}
      note={write.isPending ? t('uploading') : write.data && t('saved')}
      refused={write.error ? why(write.error) : undefined}
      onChange={(picture) => picture && write.mutate({ app_id: app.id, picture })}
    />
  )
}

interface AppFormProps {
  readonly title: string
  readonly submit: string
  readonly form: Pick<Form<Values>, 'field' | 'submit' | 'isBusy'> & { readonly problem: Error | null }
  readonly onClose: () => void
  /** Field of a new app. */
  readonly kind?: ReactNode
  /** Field of an existing app. */
  readonly picture?: ReactNode
}

function AppForm({ title, submit, form, onClose, kind, picture }: AppFormProps) {
  const { t } = useTranslation('apps', { keyPrefix: 'own' })
  const why = useFailureText('account')
  const { value, error, onChange } = form.field('scopes')
  return (
    <Dialog title={title} onClose={onClose}>
      <DialogForm
        onSubmit={form.submit}
        onClose={onClose}
        problem={form.problem && why(form.problem)}
        cancel={t('cancel')}
        submit={submit}
        isBusy={form.isBusy}
      >
        {picture}
        <TextField label={t('name')} maxLength={appLimits.name} {...form.field('name')} />
        <TextField label={t('website')} hint={t('websiteHint')} inputMode="url" {...form.field('website')} />
        <TextArea label={t('uris')} hint={t('urisHint')} spellCheck={false} {...form.field('redirect_uris')} />
        {kind}
        <ScopeChoice label={t('scopes')} value={value} error={error} isForProject onChange={onChange} />
      </DialogForm>
    </Dialog>
  )
}

const blank: Values = { name: '', website: '', redirect_uris: '', kind: 'server', scopes: [] }

const valuesOf = (app: RegisteredApp): Values => ({
  name: app.name,
  website: app.website,
  redirect_uris: app.redirect_uris.join('\n'),
  kind: app.is_public ? 'public' : 'server',
  scopes: appScopes.filter((scope) => app.scopes.includes(scope)),
})

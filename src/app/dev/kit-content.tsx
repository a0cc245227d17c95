// Exhibits of what users read.
import { IconAntenna } from '@tabler/icons-react'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { Card, CardPart, Cards } from '#src/ui/card.tsx'
import { TimeChart } from '#src/ui/chart/time-chart.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { Fact, FactList } from '#src/ui/fact-list.tsx'
import { Logo } from '#src/ui/logo.tsx'
import { Note } from '#src/ui/note.tsx'
import { Page } from '#src/ui/page.tsx'
import { PageSkeleton } from '#src/ui/page-skeleton.tsx'
import { Problem } from '#src/ui/problem.tsx'
import { Row, RowList } from '#src/ui/row-list.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { Switch } from '#src/ui/switch.tsx'
import type { ExhibitProps } from './kit-texts.ts'

const tones = ['neutral', 'ok', 'warn', 'live'] as const

export function Messages({ texts }: ExhibitProps) {
  return (
    <>
      <div data-group>
        {([...tones, 'accent'] as const).map((tone) => (
          <Badge key={tone} tone={tone}>
            {texts.state[tone]}
          </Badge>
        ))}
        <Badge tone="ok" icon={<IconAntenna size={12} aria-hidden />}>
          {texts.state.ok}
        </Badge>
        <Logo />
        <Logo size={40} />
      </div>
      {tones.map((tone) => (
        <Note key={tone} tone={tone}>
          {texts.note[tone]}
        </Note>
      ))}
      <Note />
      <Problem
        title={texts.problem}
        retry={{ label: texts.retry, run: () => {} }}
        details={{ label: texts.details, text: 'GET /method 503' }}
      >
        {texts.whole}
      </Problem>
      <Problem title={texts.problem} />
      <EmptyState
        icon={<IconAntenna size={26} aria-hidden />}
        title={texts.empty}
        action={<Button>{texts.open}</Button>}
      >
        {texts.whole}
      </EmptyState>
    </>
  )
}

export function Frames({ texts }: ExhibitProps) {
  return (
    <>
      <Page title={texts.title} intro={texts.whole} actions={<Button look="outline">{texts.open}</Button>}>
        <Cards>
          <Card title={texts.row} note={texts.hint} actions={<Badge tone="ok">{texts.state.ok}</Badge>}>
            <FactList>
              <Fact name={texts.fact}>rtmp://live.example.com</Fact>
              <Fact name={texts.viewers} isQuiet>
                {texts.unknown}
              </Fact>
            </FactList>
          </Card>
          <Card title={texts.row} look="quiet" actions={false}>
            <Skeleton height={40} />
            <Skeleton height={16} width="60%" />
          </Card>
          <Card title={texts.remove} note={texts.answer} look="danger" />
          <Card>
            {texts.whole}
            <CardPart title={texts.key} note={texts.hint} actions={<Button look="outline">{texts.copy}</Button>}>
              {texts.whole}
            </CardPart>
          </Card>
        </Cards>
        <Card>
          <RowList label={texts.row}>
            <Row
              lead={<IconAntenna size={38} aria-hidden />}
              title={texts.row}
              about={texts.hint}
              actions={
                <>
                  <Badge tone="warn">{texts.state.warn}</Badge>
                  <Button look="outline">{texts.retry}</Button>
                  <Switch label={texts.on} isLabelHidden isOn onChange={() => {}} />
                </>
              }
            />
            <Row title={<a href="/dev/kit">{texts.long}</a>} name="second">
              <Note tone="warn">{texts.note.warn}</Note>
            </Row>
          </RowList>
        </Card>
      </Page>
      <PageSkeleton />
    </>
  )
}

const load = async () => (await import('#src/ui/chart/plot.ts')).openPlot

/** Noon, UTC, as the axis of the exhibits says. */
const begin = Date.UTC(2026, 2, 1, 12) / 1000

const wave = (mean: number, high: number) =>
  Array.from({ length: 60 }, (_, minute) => ({
    at: begin + 60 * minute,
    value: minute > 30 && minute < 36 ? null : Math.round(mean + high * Math.sin(minute / 5)),
  }))

export function Charts({ texts }: ExhibitProps) {
  const time = (at: number) => new Date(at * 1000).toISOString().slice(11, 16)
  const words = {
    zoomIn: '+',
    zoomOut: '-',
    whole: '0',
    none: texts.unknown,
    figures: ({ mean, min, max }: { mean: string; min: string; max: string }) => `${mean} (${min} – ${max})`,
    tick: time,
    moment: time,
    colon: ': ',
    comma: ', ',
  }
  const bitrate = { name: texts.bitrate, points: wave(6000, 800), format: (value: number) => `${value} kbps` }
  const viewers = { name: texts.viewers, points: wave(120, 60), format: String, scale: 'viewers' }
  const rest = ['A', 'B', 'C', 'D'].map((name, index) => ({
    name,
    points: wave(1000 * (index + 1), 300),
    format: bitrate.format,
  }))
  const markers = tones.map((tone, index) => ({ at: begin + 600 * (index + 1), label: texts.lost, tone }))
  return (
    <>
      <TimeChart label={texts.bitrate} series={[bitrate]} markers={markers} words={words} load={load} />
      <TimeChart label={texts.bitrate} series={[bitrate, viewers]} words={words} load={load} />
      <TimeChart
        label={texts.bitrate}
        isSmall
        series={[bitrate, bitrate, ...rest].map(numbered)}
        {...{ words, load }}
      />
      <TimeChart label={texts.viewers} isSmall series={[{ ...viewers, points: [] }]} words={words} load={load} />
    </>
  )
}

const numbered = <S extends { readonly name: string }>(series: S, index: number): S => ({
  ...series,
  name: `${series.name} ${index + 1}`,
})

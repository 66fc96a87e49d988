/** Queries of the dashboard, read by the grammar of Prometheus and compared with what a server gave. */

import { readFileSync } from 'node:fs'
import type { SyntaxNode } from '@lezer/common'
import { parser } from '@prometheus-io/lezer-promql'

export type Query = { readonly panel: string; readonly expr: string; readonly legend: string }

export function dashboardQueries(): Query[] {
  const { panels } = JSON.parse(readFileSync(new URL('../grafana.json', import.meta.url), 'utf8'))
  return panels.flatMap(({ title, targets }: { title: string; targets: { expr: string; legendFormat: string }[] }) =>
    targets.map(({ expr, legendFormat }) => ({ panel: title, expr, legend: legendFormat })),
  )
}

/** What Grafana puts into a query before Prometheus sees it. */
const VARIABLES = /\$__rate_interval/g

/** What is wrong with a query, given the answer of `/metrics`. */
export function problemsOf({ expr, legend }: Query, metrics: string): string[] {
  const text = expr.replace(VARIABLES, '1m')
  const problems: string[] = []
  const words = (node: SyntaxNode, name: string) => {
    const found: string[] = []
    node.cursor().iterate((at) => {
      if (at.name === name) found.push(text.slice(at.from, at.to))
    })
    return found
  }
  const groups: string[] = []
  parser.parse(text).iterate({
    enter({ node, name, type }) {
      if (type.isError) problems.push(`no PromQL at ${node.from}: ${text}`)
      if (name === 'GroupingLabels') groups.push(...words(node, 'LabelName'))
      if (name !== 'VectorSelector') return
      const [metric] = words(node, 'Identifier')
      const matchers = words(node, 'UnquotedLabelMatcher')
      const series = seriesOf(metrics, metric).filter((labels) => matchers.every((matcher) => labels.includes(matcher)))
      if (series.length === 0) problems.push(`the server gave no ${metric} ${matchers.join()}`)
      const by = enclosingGroups(node, words)
      for (const label of by) {
        if (!series.every((labels) => labels.includes(`${label}="`))) problems.push(`${metric} has no label ${label}`)
      }
    },
  })
  for (const [, label] of legend.matchAll(/\{\{(\w+)\}\}/g)) {
    // Prometheus adds where it was read.
    if (label !== 'instance' && !groups.includes(label)) problems.push(`nothing is grouped by ${label}`)
  }
  return problems
}

/** The labels of each series of a metric, as they are written. */
function seriesOf(metrics: string, metric: string): string[] {
  const found = metrics.matchAll(new RegExp(`^${metric}(?:\\{(.*)\\})? \\S+$`, 'gm'))
  return [...found].map(([, labels = '']) => labels)
}

/** Labels by which the aggregations around a selector group. */
function enclosingGroups(node: SyntaxNode, words: (node: SyntaxNode, name: string) => string[]): string[] {
  const labels: string[] = []
  for (let at = node.parent; at !== null; at = at.parent) {
    if (at.name !== 'AggregateExpr') continue
    const modifier = at.getChild('AggregateModifier')
    if (modifier !== null) labels.push(...words(modifier, 'LabelName'))
  }
  return labels
}

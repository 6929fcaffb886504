import { type ComponentType, lazy } from 'react'
import { Redirect, Route, Switch } from 'wouter'
import type { ViewerQuery } from './gql'
import { membersPath } from './pages'
import { loading } from './part'
import type { Me } from './records'
import { t } from './text/text'
import { Page } from './ui'

/** A page that is loaded when it is first shown. */
const page = <P,>(load: () => Promise<ComponentType<P>>) => lazy(async () => ({ default: await loading(load()) }))

const Overview = page(() => import('./pages/overview').then((m) => m.Overview))
const Activity = page(() => import('./pages/activity').then((m) => m.Activity))
const Trace = page(() => import('./pages/trace').then((m) => m.Trace))
const Workflows = page(() => import('./pages/workflows').then((m) => m.Workflows))
const WorkflowPage = page(() => import('./pages/workflow').then((m) => m.WorkflowPage))
const Layouts = page(() => import('./pages/layouts').then((m) => m.Layouts))
const LayoutPage = page(() => import('./pages/layouts').then((m) => m.LayoutPage))
const Snippets = page(() => import('./pages/snippets').then((m) => m.Snippets))
const SnippetPage = page(() => import('./pages/snippets').then((m) => m.SnippetPage))
const Translations = page(() => import('./pages/translations').then((m) => m.Translations))
const TranslationPage = page(() => import('./pages/translations').then((m) => m.TranslationPage))
const Variables = page(() => import('./pages/variables').then((m) => m.Variables))
const Integrations = page(() => import('./pages/integrations').then((m) => m.Integrations))
const IntegrationPage = page(() => import('./pages/integrations').then((m) => m.IntegrationPage))
const Subscribers = page(() => import('./pages/subscribers').then((m) => m.Subscribers))
const SubscriberPage = page(() => import('./pages/subscriber').then((m) => m.SubscriberPage))
const Suppressions = page(() => import('./pages/suppressions').then((m) => m.Suppressions))
const Contexts = page(() => import('./pages/contexts').then((m) => m.Contexts))
const Feeds = page(() => import('./pages/feeds').then((m) => m.Feeds))
const Receipts = page(() => import('./pages/deliveries').then((m) => m.Receipts))
const Replies = page(() => import('./pages/deliveries').then((m) => m.Replies))
const Digests = page(() => import('./pages/deliveries').then((m) => m.Digests))
const Health = page(() => import('./pages/health').then((m) => m.Health))
const Topics = page(() => import('./pages/topics').then((m) => m.Topics))
const TopicPage = page(() => import('./pages/topics').then((m) => m.TopicPage))
const Tenants = page(() => import('./pages/tenants').then((m) => m.Tenants))
const TenantPage = page(() => import('./pages/tenants').then((m) => m.TenantPage))
const Catcher = page(() => import('./pages/catcher').then((m) => m.Catcher))
const Webhooks = page(() => import('./pages/webhooks').then((m) => m.Webhooks))
const Alerts = page(() => import('./pages/alerts').then((m) => m.Alerts))
const Audiences = page(() => import('./pages/audiences').then((m) => m.Audiences))
const NewAudience = page(() => import('./pages/audiences').then((m) => m.NewAudience))
const AudiencePage = page(() => import('./pages/audiences').then((m) => m.AudiencePage))
const Schedules = page(() => import('./pages/schedules').then((m) => m.Schedules))
const NewSchedule = page(() => import('./pages/schedules').then((m) => m.NewSchedule))
const SchedulePage = page(() => import('./pages/schedules').then((m) => m.SchedulePage))
const Broadcasts = page(() => import('./pages/broadcasts').then((m) => m.Broadcasts))
const Repairs = page(() => import('./pages/repairs').then((m) => m.Repairs))
const Promote = page(() => import('./pages/promote').then((m) => m.Promote))
const Environments = page(() => import('./pages/environments').then((m) => m.Environments))
const MembersPage = page(() => import('./pages/environments').then((m) => m.MembersPage))
const Audit = page(() => import('./pages/audit').then((m) => m.Audit))
const Design = page(() => import('./pages/design').then((m) => m.Design))

/** What a part of an address names. */
function named(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part // typed by hand
  }
}

/** The page at the address. */
export function Routes({ viewer, reload }: { viewer: ViewerQuery; reload: () => void }) {
  return (
    <Switch>
      <Route path="/">
        <Redirect to="/activity" replace />
      </Route>
      <Route path="/overview" component={Overview} />
      <Route path="/activity" component={Activity} />
      <Route path="/activity/:id">{({ id }) => <Trace id={id} key={id} />}</Route>
      <Route path="/workflows" component={Workflows} />
      <Route path="/workflows/:id">{({ id }) => <WorkflowPage reference={named(id)} tab="Editor" />}</Route>
      <Route path="/workflows/:id/test">{({ id }) => <WorkflowPage reference={named(id)} tab="Test" />}</Route>
      <Route path="/workflows/:id/versions">{({ id }) => <WorkflowPage reference={named(id)} tab="Versions" />}</Route>
      <Route path="/layouts" component={Layouts} />
      <Route path="/layouts/:id">{({ id }) => <LayoutPage identifier={named(id)} key={id} />}</Route>
      <Route path="/snippets" component={Snippets} />
      <Route path="/snippets/:id">{({ id }) => <SnippetPage identifier={named(id)} key={id} />}</Route>
      <Route path="/translations" component={Translations} />
      <Route path="/translations/:locale">
        {({ locale }) => <TranslationPage locale={named(locale)} key={locale} />}
      </Route>
      <Route path="/variables" component={Variables} />
      <Route path="/integrations" component={Integrations} />
      <Route path="/integrations/:id">{({ id }) => <IntegrationPage id={id} key={id} />}</Route>
      <Route path="/subscribers" component={Subscribers} />
      <Route path="/subscribers/:id">{({ id }) => <SubscriberPage id={named(id)} tab="Profile" key={id} />}</Route>
      <Route path="/subscribers/:id/preferences">
        {({ id }) => <SubscriberPage id={named(id)} tab="Preferences" key={id} />}
      </Route>
      <Route path="/subscribers/:id/subscriptions">
        {({ id }) => <SubscriberPage id={named(id)} tab="Subscriptions" key={id} />}
      </Route>
      <Route path="/subscribers/:id/messages">
        {({ id }) => <SubscriberPage id={named(id)} tab="Messages" key={id} />}
      </Route>
      <Route path="/subscribers/:id/history">
        {({ id }) => <SubscriberPage id={named(id)} tab="History" key={id} />}
      </Route>
      <Route path="/suppressions" component={Suppressions} />
      <Route path="/contexts" component={Contexts} />
      <Route path="/feeds" component={Feeds} />
      <Route path="/receipts" component={Receipts} />
      <Route path="/replies" component={Replies} />
      <Route path="/digests" component={Digests} />
      <Route path="/health" component={Health} />
      <Route path="/topics" component={Topics} />
      <Route path="/topics/:key">{({ key }) => <TopicPage topicKey={named(key)} key={key} />}</Route>
      <Route path="/tenants" component={Tenants} />
      <Route path="/tenants/:id">{({ id }) => <TenantPage identifier={named(id)} key={id} />}</Route>
      <Route path="/catcher" component={Catcher} />
      <Route path="/webhooks" component={Webhooks} />
      <Route path="/alerts" component={Alerts} />
      <Route path="/audiences" component={Audiences} />
      <Route path="/audiences/new" component={NewAudience} />
      <Route path="/audiences/:id">{({ id }) => <AudiencePage identifier={named(id)} key={id} />}</Route>
      <Route path="/schedules" component={Schedules} />
      <Route path="/schedules/new" component={NewSchedule} />
      <Route path="/schedules/:id">{({ id }) => <SchedulePage id={named(id)} key={id} />}</Route>
      <Route path="/broadcasts" component={Broadcasts} />
      <Route path="/repairs" component={Repairs} />
      <Route path="/promote">
        <Promote viewer={viewer} />
      </Route>
      <Route path="/environments">
        <Environments me={viewer.viewer as Me} onChange={reload} />
      </Route>
      <Route path={membersPath}>
        <MembersPage me={viewer.viewer as Me} onChange={reload} />
      </Route>
      <Route path="/audit" component={Audit} />
      <Route path="/design" component={Design} />
      <Route>
        <Page title={t('shell.notFound')}>
          <p>{t('shell.notFoundText')}</p>
        </Page>
      </Route>
    </Switch>
  )
}

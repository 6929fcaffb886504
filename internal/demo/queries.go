package demo

// The operations that the demo performs, as any client would write them.
const (
	createEnvironment = `mutation($identifier: String!) {
  createEnvironment(input: {identifier: $identifier, name: "Demo"}) { environment { id } }
}`
	createKey = `mutation($environment: ID!) {
  createApiKey(input: {name: "Demo", environmentId: $environment}) { key }
}`
	deleteEnvironment = `mutation($id: ID!) { deleteEnvironment(id: $id, name: "Demo") { deletedId } }`
	createIntegration = `mutation($input: CreateIntegrationInput!) { createIntegration(input: $input) { integration { identifier } } }`
	createWorkflow    = `mutation($input: CreateWorkflowInput!) { createWorkflow(input: $input) { workflow { identifier status } } }`
	createSubscriber  = `mutation($input: CreateSubscriberInput!) { createSubscriber(input: $input) { subscriber { subscriberId } } }`
	setChannel        = `mutation($input: SetSubscriberChannelInput!) { setSubscriberChannel(input: $input) { subscriberChannel { id } } }`
	subscribe         = `mutation($input: CreateSubscriptionsInput!) {
  createSubscriptions(input: $input) { meta { successful } errors { message } }
}`
	readTraces = `query($transaction: String!) {
  notifications(first: 100, filter: {transactionId: $transaction}) {
    nodes {
      id
      status
      subscriber { subscriberId }
      trace { at stepId channel reason detail attempt }
    }
  }
}`
	readInbox = `query($subscriber: String!) {
  messages(first: 100, filter: {subscriberId: $subscriber, channelIn: [IN_APP]}) {
    nodes { subject content { text } }
  }
}`
)

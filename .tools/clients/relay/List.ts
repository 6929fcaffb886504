// What Relay's compiler is to accept: a refetchable, paginated list of a connection, and any record by node(id).
graphql`
  query ListQuery($id: ID!) {
    ...List_messages
    node(id: $id) {
      ... on Message {
        read
      }
    }
  }
`

graphql`
  fragment List_messages on Query
  @refetchable(queryName: "ListPaginationQuery")
  @argumentDefinitions(count: { type: "Int", defaultValue: 10 }, cursor: { type: "String" }) {
    messages(first: $count, after: $cursor) @connection(key: "List_messages") {
      edges {
        cursor
        node {
          id
          ...List_message
        }
      }
    }
  }
`

graphql`
  mutation ListDeleteMutation($ids: [ID!]!, $subscriberId: String!, $connections: [ID!]!) {
    deleteMessages(input: { subscriberId: $subscriberId, messageIds: $ids }) {
      deletedIds @deleteEdge(connections: $connections)
    }
  }
`

graphql`
  fragment List_message on Message @refetchable(queryName: "ListMessageQuery") {
    status
    createdAt
    subscriber {
      subscriberId
    }
  }
`

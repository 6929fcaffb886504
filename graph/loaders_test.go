package graph_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestMutationsSeeThoseBefore: each mutation of an operation shows nested records as the mutations before it left them.
func TestMutationsSeeThoseBefore(t *testing.T) {
	t.Parallel()
	b := setup(t)
	data := b.must(t, `mutation {
		parent: createNotificationGroup(input: {identifier: "parent", name: "Old"}) { notificationGroup { id } }
		child: createNotificationGroup(input: {identifier: "child", name: "Child", parent: "parent"}) { notificationGroup { id parent { name } } }
	}`, nil)
	require.Equal(t, "Old", at(t, data, "child", "notificationGroup", "parent", "name"))
	data = b.must(t, `mutation($parent: ID!, $child: ID!) {
		before: updateNotificationGroup(input: {id: $child, name: "Child 1"}) { notificationGroup { parent { name } } }
		updateNotificationGroup(input: {id: $parent, name: "New"}) { notificationGroup { name } }
		after: updateNotificationGroup(input: {id: $child, name: "Child 2"}) { notificationGroup { parent { name } } }
	}`, map[string]any{"parent": at(t, data, "parent", "notificationGroup", "id"), "child": at(t, data, "child", "notificationGroup", "id")})
	require.Equal(t, "Old", at(t, data, "before", "notificationGroup", "parent", "name"))
	require.Equal(t, "New", at(t, data, "after", "notificationGroup", "parent", "name"))
}

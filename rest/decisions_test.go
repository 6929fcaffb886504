package rest_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// decisions names every row of decisions.md by section, and the tests that hold it: of this package, or of a named one.
// TestGolden uses the file of questions and answers.
var decisions = map[string]map[string]string{
	"success codes": {
		"reads, updates and deletions 200":            "TestGolden/channel_endpoints TestGolden/subscriptions_list TestGolden/integrations TestGolden/subscriptions_update TestGolden/subscriptions_delete TestGolden/preferences_bulk TestGolden/preferences_read TestGolden/workflows",
		"create subscriptions 201":                    "TestGolden/subscriptions_create TestGolden/subscriptions_items",
		"mark as 201":                                 "TestGolden/mark_as",
		"trigger 201, broadcast 200, bulk 201":        "TestGolden/outcomes TestGolden/broadcast TestGolden/bulk",
		"no other success code, every one documented": "TestDocumentIsComplete TestMutatedRequests",
	},
	"1 conventions": {
		"envelope, RESPONSE_WRAPPER":           "TestResponseWrapper TestResponseWrapperOfEveryKind TestDocumentFollowsTheSettings",
		"danger: data alone":                   "TestResponseWrapperOfEveryKind TestGolden/subscriptions_create",
		"prefix in enumerations":               "TestValuePrefix workflow.TestProviderPrefix workflow.TestProviderPrefixInRequests notify.TestProviderRegistryShowsTheConfiguredPrefix",
		"internal ids":                         "id.TestNewAscends id.TestNewHoldsTheSeconds",
		"what an internal id is":               "TestIDsInCapitals TestGolden/integrations",
		"timestamps":                           "TestGolden/channel_endpoints TestMutatedRequests",
		"nulls are left out":                   "TestGolden/mark_as TestGolden/subscriptions_create TestGolden/workflows",
		"numbers":                              "TestGolden/channel_endpoints TestGolden/mark_as jsonnum.TestWholeNumbersComeBack engine.TestDigitsOfNumbers",
		"UTF-8":                                "TestGolden/media_types FuzzBodies",
		"_environmentId, _organizationId":      "TestGolden/integrations TestGolden/mark_as",
		"subscriberId":                         "workflow.TestFormats workflow.TestParseRecipients TestGolden/subscriptions_invalid TestGolden/subscriptions_items",
		"topic key":                            "workflow.TestFormats TestGolden/subscriptions_items",
		"workflow trigger identifier":          "workflow.TestFormats TestGolden/trigger_fields",
		"subscription identifier":              "workflow.TestFormats TestGolden/subscriptions_invalid TestGolden/subscriptions_items notify.TestLongestSubscriptionIdentifier",
		"context type and id":                  "workflow.TestParseContext workflow.TestFormats TestGolden/subscriptions_invalid",
		"transactionId":                        "workflow.TestFormats TestGolden/trigger_fields TestGolden/outcomes",
		"endpoint and integration identifiers": "notify.TestChannelEndpointFaults TestGolden/channel_endpoints",
		"tenant identifier":                    "workflow.TestParseActorAndTenant TestGolden/trigger_fields",
		"slugs":                                "id.TestSlug TestGolden/workflows TestGolden/preferences_bulk",
	},
	"2 what strict clients require or refuse": {
		"cursor page":               "TestGolden/channel_endpoints TestGolden/cursors",
		"ChannelEndpoint":           "TestGolden/channel_endpoints TestGolden/integrations",
		"Topic":                     "TestGolden/subscriptions_list TestGolden/subscriptions_create",
		"SubscriberSummary":         "TestGolden/subscriptions_list TestGolden/subscriptions_create",
		"Subscription, list form":   "TestGolden/subscriptions_list",
		"Subscription, full form":   "TestGolden/subscriptions_create TestGolden/subscriptions_update",
		"Subscription, delete form": "TestGolden/subscriptions_delete",
		"SubscriptionPreference":    "TestGolden/subscriptions_update",
		"WorkflowSummary":           "TestGolden/preferences_bulk TestGolden/subscriptions_update",
		"create and delete result":  "TestGolden/subscriptions_create TestGolden/subscriptions_delete TestGolden/subscriptions_items",
		"Preference":                "TestGolden/preferences_bulk",
		"Preferences read":          "TestGolden/preferences_read",
		"Integration":               "TestGolden/integrations TestRareMembersAreDocumented notify.TestDeletedRecordsAreListed",
		"Workflow list item":        "TestGolden/workflows",
		"Message":                   "TestGolden/mark_as TestRareMembersAreDocumented",
		"Message.subscriber in full, template not sent": "TestGolden/mark_as TestManyLargeSubscribers",
		"Trigger response":                     "TestGolden/outcomes TestGolden/bulk",
		"closed enumerations, no extra fields": "TestMutatedRequests TestDocumentIsComplete TestDocumentOnFile",
	},
	"3 transport": {
		"request media type":                   "TestGolden/media_types TestGolden/transport",
		"response media type":                  "TestGolden/transport TestGolden/media_types",
		"Accept is ignored":                    "TestGolden/media_types",
		"malformed JSON":                       "TestGolden/media_types TestGolden/transport FuzzBodies",
		"empty body":                           "TestGolden/subscriptions_items TestGolden/invalid TestWhatCountsAsTheSameRequest",
		"duplicate keys":                       "TestGolden/media_types TestWhatCountsAsTheSameRequest",
		"unknown fields":                       "TestGolden/media_types TestGolden/cursors TestEventHoldsWhatWasSent",
		"explicit null":                        "TestGolden/trigger_fields TestGolden/subscriptions_items TestGolden/invalid workflow.TestParseRecipients",
		"trailing slash":                       "TestGolden/transport TestGolden/channel_endpoints TestGolden/integrations TestEveryWriteIsReplayed",
		"path case":                            "TestGolden/transport TestGolden/channel_endpoints",
		"path parameters":                      "TestGolden/subscriptions_list TestGolden/subscriptions_update FuzzPaths",
		"unknown path":                         "TestGolden/transport",
		"other method, HEAD":                   "TestGolden/transport TestGolden/channel_endpoints TestGolden/media_types",
		"CORS":                                 "TestCORS",
		"compression":                          "TestCompression",
		"Expect":                               "TestGolden/transport TestRequestsThatCannotBeParsed",
		"body size":                            "TestSizes TestCompression TestBodyLimitOfTheOtherRoutes",
		"event size":                           "TestSizes notify.TestEventSizes TestTooLargeEventsMeetNoKey",
		"header names, keys on GET and DELETE": "TestKeysThatDoNotApply FuzzHeaders",
		"order of checks":                      "TestOrderOfChecks TestTooLargeEventsMeetNoKey TestGolden/transport",
	},
	"4 query encoding and cursor lists": {
		"arrays in a query":          "TestGolden/channel_endpoints TestGolden/workflows FuzzQueries",
		"contextKeys absent":         "TestGolden/channel_endpoints TestGolden/preferences_read",
		"contextKeys empty":          "TestGolden/channel_endpoints TestGolden/subscriptions_list TestGolden/preferences_read",
		"contextKeys given":          "TestGolden/channel_endpoints TestGolden/cursors workflow.TestContextSet",
		"booleans":                   "TestGolden/cursors",
		"numbers":                    "TestGolden/cursors TestGolden/workflows",
		"limit":                      "TestGolden/channel_endpoints TestGolden/cursors",
		"orderDirection":             "TestGolden/channel_endpoints TestGolden/cursors",
		"orderBy":                    "TestGolden/channel_endpoints TestGolden/subscriptions_list TestGolden/cursors",
		"order is total and stable":  "TestWalks",
		"what a cursor is":           "TestWalks TestIDsInCapitals",
		"after":                      "TestWalks TestGolden/channel_endpoints",
		"before":                     "TestWalks TestGolden/channel_endpoints",
		"includeCursor":              "TestWalks TestGolden/channel_endpoints TestGolden/cursors",
		"next and previous":          "TestWalks",
		"empty page":                 "TestGolden/channel_endpoints TestGolden/subscriptions_list",
		"both cursors":               "TestGolden/channel_endpoints TestGolden/cursors",
		"cursor not 24 hex":          "TestGolden/cursors FuzzCursors notify.TestOddCursors",
		"cursor of no record":        "TestGolden/channel_endpoints TestGolden/cursors TestOtherEnvironmentsDoNotExist",
		"cursor outside the filters": "TestGolden/channel_endpoints TestGolden/subscriptions_list TestWalks",
		"empty cursor":               "TestGolden/channel_endpoints TestGolden/cursors",
		"totalCount":                 "notify.TestTotalsStop notify.TestListsReadTheirPages",
		"order or filters changed":   "TestWalks",
	},
	"5 channel endpoints": {
		"types and their fields":             "TestGolden/channel_endpoints notify.TestChannelEndpointFaults",
		"of the integration, null when gone": "TestGolden/integrations",
		"subscriberId, contextKeys":          "TestGolden/channel_endpoints",
		"filters":                            "TestGolden/channel_endpoints TestGolden/cursors notify.TestListsReadTheirPages",
		"retrieve":                           "TestGolden/channel_endpoints TestOtherEnvironmentsDoNotExist",
	},
	"6 delete integration": {
		"internal id only, 404":  "TestGolden/integrations TestOtherEnvironmentsDoNotExist TestIDsInCapitals",
		"the record":             "notify.TestDeletedIntegrationIsFinal",
		"response":               "TestGolden/integrations",
		"the next primary":       "TestGolden/integrations notify.TestExactlyOnePrimary notify.TestPrimaryUnderConcurrentChanges",
		"masking":                "TestGolden/integrations TestRareMembersAreDocumented notify.TestSecretsNeverLeave",
		"steps that were queued": "engine.TestSend workflow.TestPlanChoosesIntegrations",
	},
	"7 subscriptions": {
		"default identifier":         "TestGolden/subscriptions_create TestGolden/subscriptions_items",
		"custom identifier":          "TestGolden/subscriptions_create TestGolden/subscriptions_items",
		"contextKeys on the record":  "TestGolden/subscriptions_create TestGolden/subscriptions_list TestGolden/subscriptions_delete",
		"sameness on create":         "TestGolden/subscriptions_items notify.TestCreateSubscriptionsLeavesWhatExists",
		"identifier taken":           "TestGolden/subscriptions_create TestGolden/subscriptions_items notify.TestSubscriptionIdentifierTakenByARace",
		"cap per subscriber":         "TestGolden/subscriptions_items notify.TestSubscriptionCapUnderConcurrency",
		"topic on first use":         "TestGolden/subscriptions_create TestGolden/subscriptions_items notify.TestCreateSubscriptionsWhenEveryItemFails",
		"deleted subscriber":         "TestGolden/subscriptions_create TestGolden/subscriptions_list notify.TestDeletedSubscribersAreUnknown",
		"item forms":                 "TestGolden/subscriptions_create TestGolden/subscriptions_invalid",
		"both lists, neither":        "TestGolden/subscriptions_items",
		"empty list, more than 100":  "TestGolden/subscriptions_invalid",
		"items one by one":           "TestGolden/subscriptions_items notify.TestCreateSubscriptions",
		"item of a wrong type":       "TestGolden/subscriptions_invalid notify.TestCreateSubscriptionsRefusesWholeCalls",
		"context":                    "TestGolden/subscriptions_invalid notify.TestContextsKeepTheDataOfTheirFirstUse workflow.TestParseContext",
		"data order, meta":           "TestGolden/subscriptions_create TestGolden/subscriptions_items",
		"every item failed":          "TestGolden/subscriptions_create TestGolden/subscriptions_items TestEveryWriteIsReplayed",
		"per-item codes":             "TestGolden/subscriptions_create TestGolden/subscriptions_delete TestGolden/subscriptions_items",
		"preference item forms":      "TestGolden/subscriptions_create TestGolden/subscriptions_items TestGolden/subscriptions_invalid",
		"stored per workflow":        "notify.TestSubscriptionPreferenceItems TestGolden/subscriptions_items",
		"unknown workflows and tags": "TestGolden/subscriptions_items notify.TestSubscriptionPreferenceItems",
		"response preferences":       "TestGolden/subscriptions_update TestGolden/subscriptions_items",
		"conditions":                 "workflow.TestRuleRoots workflow.TestRuleOperators workflow.TestRuleBlocks engine.TestFanOutTopics",
		"update":                     "TestGolden/subscriptions_update TestGolden/subscriptions_items notify.TestUpdateSubscription",
		"delete":                     "TestGolden/subscriptions_delete TestGolden/subscriptions_items notify.TestDeleteSubscriptions",
		"list":                       "TestGolden/subscriptions_list notify.TestListSubscriptions",
	},
	"8 bulk preferences and precedence": {
		"unknown subscriber":    "TestGolden/preferences_bulk TestGolden/invalid",
		"wrong shapes":          "TestGolden/preferences_bulk TestGolden/invalid",
		"empty list, 101 items": "TestGolden/preferences_bulk TestGolden/invalid",
		"workflowId":            "TestGolden/preferences_bulk TestIDsInCapitals notify.TestUpdatePreferences",
		"unknown workflow":      "TestGolden/invalid notify.TestUpdatePreferences",
		"critical workflow":     "TestGolden/invalid notify.TestUpdatePreferences",
		"inactive workflow":     "TestGolden/preferences_bulk notify.TestUpdatePreferences",
		"channels":              "TestGolden/preferences_bulk notify.TestUpdatePreferences",
		"same workflow twice":   "TestGolden/preferences_bulk notify.TestUpdatePreferences",
		"result":                "TestGolden/preferences_bulk",
		"context, scopes":       "TestGolden/preferences_bulk TestGolden/preferences_read notify.TestUpdatePreferences",
		"atomicity":             "TestGolden/invalid notify.TestUpdatePreferences",
		"precedence":            "workflow.TestPreferences workflow.TestPreferencesFirstRowWins workflow.TestPreferencesAll",
	},
	"9 mark messages": {
		"markAs":               "TestGolden/mark_as notify.TestMarkMessages",
		"dates":                "TestGolden/mark_as notify.TestMarkMessages",
		"refusals":             "TestGolden/mark_as TestGolden/invalid notify.TestMarkMessagesRefusals",
		"ids that are skipped": "TestGolden/mark_as notify.TestMarkMessages",
		"result":               "TestGolden/mark_as notify.TestMarkMessages",
	},
	"10 read preferences": {
		"refusals":         "TestGolden/preferences_read TestGolden/invalid",
		"active workflows": "TestGolden/preferences_read notify.TestReadPreferences",
		"five channels":    "TestGolden/preferences_read workflow.TestPreferencesAll",
		"enabled":          "TestGolden/preferences_read TestGolden/preferences_bulk workflow.TestPreferenceLevelIsOn",
		"overrides":        "TestGolden/preferences_read workflow.TestPreferences",
		"updatedAt":        "TestGolden/preferences_read",
		"schedule":         "TestGolden/preferences_read notify.TestSetSchedule workflow.TestScheduleValidate workflow.TestClock",
		"effect of hours":  "workflow.TestOpenAt workflow.TestNextOpen engine.TestHours",
	},
	"11 workflows": {
		"limit and offset":           "TestGolden/workflows TestGolden/invalid",
		"order":                      "TestGolden/workflows notify.TestWorkflowLists",
		"query":                      "TestGolden/workflows notify.TestWorkflowLists notify.TestWorkflowsAreFoundByTheirPresentNames",
		"tags, status":               "TestGolden/workflows TestGolden/invalid notify.TestWorkflowLists",
		"totalCount":                 "TestGolden/workflows notify.TestWorkflowTotalsAreCapped",
		"workflowId, status, origin": "TestGolden/workflows notify.TestWorkflowLife",
		"what is always sent":        "TestGolden/workflows engine.TestAcceptStop",
		"stepTypeOverviews":          "TestGolden/workflows",
		"issues":                     "TestGolden/workflows workflow.TestIssues notify.TestWorkflowIssues",
	},
	"12 trigger family": {
		"wrong shapes":                        "TestGolden/invalid TestGolden/trigger_fields TestGolden/broadcast",
		"more than 100 recipients":            "TestGolden/trigger_fields TestGolden/bulk workflow.TestParseRecipients",
		"recipient object":                    "workflow.TestParseRecipients TestGolden/outcome_order",
		"topic recipient":                     "workflow.TestParseRecipients engine.TestFanOutTopics",
		"invalid recipients":                  "workflow.TestParseRecipients TestGolden/outcome_order",
		"unknown topic":                       "TestGolden/outcome_order",
		"recipient channels":                  "TestGolden/trigger_fields workflow.TestChannelCredentialsMerge workflow.TestChannelCredentialsMergeKeepsTheNewestTokens",
		"duplicates":                          "workflow.TestParseRecipients engine.TestFanOutTopics",
		"direct recipients are upserted":      "engine.TestFanOutDirect workflow.TestSubscriberInputRoundTrip",
		"topics and broadcasts change nobody": "engine.TestFanOutTopics engine.TestFanOutBroadcast",
		"actor":                               "TestGolden/trigger_fields workflow.TestParseActorAndTenant engine.TestFanOutTopics",
		"tenant":                              "TestGolden/outcome_order workflow.TestParseActorAndTenant engine.TestAcceptOutcomeRows",
		"context":                             "TestGolden/trigger_fields engine.TestFanOutTopics workflow.TestParseContext",
		"topic subscriptions":                 "engine.TestFanOutTopics",
		"payload, attachments":                "TestSizes TestEventHoldsWhatWasSent",
		"transactionId absent":                "TestGolden/outcomes",
		"overrides":                           "workflow.TestOverridesForStep workflow.TestOverridesProblems workflow.TestMergeDeep TestGolden/trigger_fields",
		"outcome rows in their order":         "TestGolden/outcomes TestGolden/outcome_order engine.TestAcceptOutcomeRows",
		"payload schema":                      "TestGolden/outcomes workflow.TestViolations workflow.TestRecursiveDefaultsEnd",
		"acknowledged, transactionId, error":  "TestGolden/outcomes TestGolden/outcome_order TestGolden/bulk",
		"processed is accepted":               "TestGolden/outcomes engine.TestFanOutDirect",
		"used transactionIds":                 "TestGolden/outcome_order TestFiftyEqualTransactionIDs engine.TestAcceptUsedIDsHaveNoEffect engine.TestAcceptRaceOnOneID",
		"bulk":                                "TestGolden/bulk TestGolden/outcome_order engine.TestAcceptABadRowFailsAlone",
		"broadcast":                           "TestGolden/broadcast engine.TestFanOutBroadcast engine.TestAcceptBroadcastRemembersWhoIsThere",
	},
	"13 authentication": {
		"header":                           "auth.TestAuthenticate TestGolden/transport",
		"missing, unknown, empty, revoked": "auth.TestAuthenticate TestGolden/media_types TestGolden/transport",
		"signed-in user":                   "TestKeysThatDoNotApply auth.TestAuthenticate",
		"suspended":                        "TestSuspendedEnvironment auth.TestAuthenticate",
		"moving, moved":                    "auth.TestAuthenticate postgres.TestHeld postgres.TestEveryRowMoves",
		"key in query or cookie":           "TestGolden/media_types",
		"scope":                            "TestOtherEnvironmentsDoNotExist",
		"WWW-Authenticate":                 "TestGolden/media_types TestGolden/transport",
	},
	"14 errors": {
		"one shape, by status": "TestFailuresBecomeStatuses TestRequestsThatCannotBeParsed TestMutatedRequests",
		"400: type and errors": "TestFailuresBecomeStatuses TestGolden/cursors TestGolden/invalid",
		"422: errors by field": "TestFailuresBecomeStatuses TestGolden/trigger_fields TestGolden/subscriptions_invalid",
		"payload schema":       "TestGolden/outcomes",
		"all items failed":     "TestGolden/subscriptions_create TestGolden/subscriptions_delete",
		"409":                  "TestDeathWhileInProgress",
		"500 and 503":          "TestFailuresBecomeStatuses TestStoppingAnswers503",
		"value up to 1 KiB":    "TestGolden/trigger_fields TestGolden/subscriptions_invalid",
	},
	"15 idempotency": {
		"one record per write":    "TestEveryWriteIsReplayed",
		"applies to":              "TestKeysThatDoNotApply",
		"empty value, blanks":     "TestKeysThatDoNotApply TestEveryWriteIsReplayed FuzzHeaders",
		"length":                  "TestKeysThatDoNotApply TestOrderOfChecks",
		"scope":                   "TestWhatCountsAsTheSameRequest",
		"body compared":           "TestWhatCountsAsTheSameRequest",
		"order":                   "TestDeathWhileInProgress TestEveryWriteIsReplayed",
		"taking the key":          "TestFiftyEqualRequests TestDeathWhileInProgress",
		"stored":                  "TestEveryWriteIsReplayed TestKeysExpire TestReplyCommitsWithItsEffect",
		"not stored":              "TestKeysThatDoNotApply TestTooLargeEventsMeetNoKey TestLimits",
		"replay":                  "TestEveryWriteIsReplayed",
		"response headers":        "TestEveryWriteIsReplayed TestDeathWhileInProgress TestKeysThatDoNotApply",
		"message meanings":        "TestDeathWhileInProgress TestEveryWriteIsReplayed TestKeysThatDoNotApply",
		"crash while in progress": "TestDeathWhileInProgress TestReplyCommitsWithItsEffect",
		"with transactionId":      "TestGolden/outcome_order TestEveryWriteIsReplayed",
		"switch per organization": "TestOrganizationsMayDoWithoutKeys",
	},
	"16 limits, rates, retention": {
		"rate limiting, headers":       "TestLimits TestOrderOfChecks",
		"transactionId retention":      "engine.TestAcceptUsedIDsHaveNoEffect engine.TestPastRecordsGo",
		"contexts per call":            "TestGolden/subscriptions_invalid workflow.TestParseContext",
		"subscriptions per pairing":    "TestGolden/subscriptions_items notify.TestSubscriptionCapUnderConcurrency",
		"device tokens":                "TestGolden/trigger_fields workflow.TestChannelCredentialsMergeKeepsTheNewestTokens",
		"attachments":                  "TestSizes",
		"array limits of the document": "TestGolden/subscriptions_invalid TestGolden/invalid TestGolden/trigger_fields",
		"URL and headers":              "TestLongURL TestRequestsThatCannotBeParsed",
	},
	"17 states, events, versioning": {
		"workflow status":        "TestGolden/workflows notify.TestWorkflowIssues",
		"message status":         "engine.TestSend engine.TestReceipts TestGolden/mark_as",
		"before acceptance":      "notify.TestMarkMessages",
		"writing masked secrets": "notify.TestMaskKeepsTheStoredValue",
		"message action status":  "TestGolden/mark_as notify.TestCompleteMessageAction",
		"integration":            "notify.TestDeletedIntegrationIsFinal",
		"inbound webhooks":       "notify.TestReceiptsOnlyWhereTheyAreWanted notify.TestReceiptsAfterTheirIntegrationWasDeleted",
		"versions":               "TestGolden/transport TestGolden/channel_endpoints TestGolden/workflows",
		"deprecated":             "TestGolden/subscriptions_create TestGolden/subscriptions_items",
		"compatibility":          "TestDocumentOnFile",
	},
}

// TestDecisionsHaveTests fails when a test that holds a row is gone.
func TestDecisionsHaveTests(t *testing.T) {
	t.Parallel()
	known := map[string]map[string]bool{"": testsIn(t, ".")}
	for _, room := range []string{"auth", "engine", "jsonnum", "id", "notify", "postgres", "workflow"} {
		known[room] = testsIn(t, filepath.Join("..", "internal", room))
	}
	require.Len(t, decisions, 18, "the success codes and seventeen sections")
	for section, rows := range decisions {
		for row, tests := range rows {
			for name := range strings.FieldsSeq(tests) {
				room, test, found := strings.Cut(name, ".")
				if !found {
					room, test = "", name
				}
				test, file, golden := strings.Cut(test, "/")
				require.True(t, known[room][test], "%s, %s: there is no test %s", section, row, name)
				if golden {
					files, err := filepath.Glob("testdata/*/" + file + ".txt")
					require.NoError(t, err)
					require.NotEmpty(t, files, "%s, %s: there is no file %s", section, row, file)
				}
			}
		}
	}
}

// testsIn are the names of the tests and fuzz targets of a package and of those within it.
func testsIn(t *testing.T, folder string) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	require.NoError(t, filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		for _, declaration := range file.Decls {
			if f, ok := declaration.(*ast.FuncDecl); ok && f.Recv == nil {
				names[f.Name.Name] = true
			}
		}
		return nil
	}))
	return names
}

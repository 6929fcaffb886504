package plan

import (
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/condition"
)

// fcmProvider takes other destinations than the subscriber's own devices (push-chat.md, fcm).
const fcmProvider = "fcm"

// fcmElsewhere are the device tokens that the trigger names for FCM in place of the subscriber's own, "" standing for a
// topic or a condition, which its adapter reads; nil when the trigger names none.
func (in *PlanInput) fcmElsewhere(step *workflow.Step) []string {
	object := in.Overrides.ForStep(step.StepID, workflow.ChannelPush, fcmProvider).All()
	for _, name := range []string{"topic", "condition"} {
		if s, _ := object[name].(string); s != "" {
			return []string{""}
		}
	}
	var tokens []string
	list, _ := object["tokens"].([]any)
	for _, v := range append(list[:len(list):len(list)], object["token"]) {
		if s, _ := v.(string); s != "" {
			tokens = append(tokens, s)
		}
	}
	return tokens
}

// fcmTargets are targets for those tokens, once, whether or not the subscriber has devices: through the integration of the
// subscriber's setting, else through the provider's newest one.
func (in *PlanInput) fcmTargets(tokens []string, data condition.FilterData) []Target {
	if tokens == nil {
		return nil
	}
	setting := ChannelSetting{ProviderID: fcmProvider}
	for _, s := range in.Settings {
		if s.ProviderID == fcmProvider {
			setting = s
			break
		}
	}
	i := in.bound(&setting)
	if !usable(i, data) || i.Channel != workflow.ChannelPush || in.demands(workflow.ChannelPush, i) {
		return nil
	}
	var out []Target
	for _, token := range tokens {
		out = append(out, Target{
			Key: i.ID + ":" + short(token), IntegrationID: i.ID, ProviderID: i.ProviderID, DeviceToken: token, SettingID: setting.ID,
		})
	}
	return out
}

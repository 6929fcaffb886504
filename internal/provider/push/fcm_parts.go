package push

import (
	"maps"
	"strconv"
	"strings"
)

// fcmParts are the overrides that become parts of a message, in the spelling of the vendor's SDKs, with what the API
// wants otherwise.
var fcmParts = map[string]struct {
	as   string
	keys func(map[string]any) map[string]any
}{
	"android":    {"android", fcmAndroid},
	"apns":       {"apns", fcmAPNs},
	"webPush":    {"webpush", same},
	"webpush":    {"webpush", same},
	"fcmOptions": {"fcmOptions", same},
}

func same(part map[string]any) map[string]any { return part }

// renamed gives a function that renames the keys of one object.
func renamed(names map[string]string) func(map[string]any) map[string]any {
	return func(part map[string]any) map[string]any {
		out := make(map[string]any, len(part))
		for key, v := range part {
			if name := names[key]; name != "" {
				key = name
			}
			out[key] = v
		}
		return out
	}
}

var (
	androidNames      = renamed(map[string]string{"collapseKey": "collapse_key", "restrictedPackageName": "restricted_package_name"})
	notificationNames = renamed(map[string]string{
		"clickAction": "click_action", "channelId": "channel_id", "imageUrl": "image", "priority": "notification_priority",
		"notificationCount": "notification_count", "defaultSound": "default_sound", "titleLocKey": "title_loc_key",
		"titleLocArgs": "title_loc_args", "bodyLocKey": "body_loc_key", "bodyLocArgs": "body_loc_args",
	})
	apsNames = renamed(map[string]string{
		"contentAvailable": "content-available", "mutableContent": "mutable-content", "threadId": "thread-id",
	})
	alertNames = renamed(map[string]string{
		"locKey": "loc-key", "locArgs": "loc-args", "titleLocKey": "title-loc-key", "titleLocArgs": "title-loc-args",
		"subtitleLocKey": "subtitle-loc-key", "subtitleLocArgs": "subtitle-loc-args", "actionLocKey": "action-loc-key",
		"launchImage": "launch-image",
	})
)

func fcmAndroid(part map[string]any) map[string]any {
	out := androidNames(part)
	if ms, ok := number(out["ttl"]); ok { // milliseconds become a duration
		out["ttl"] = strconv.FormatFloat(ms/1000, 'f', -1, 64) + "s"
	}
	n, ok := out["notification"].(map[string]any)
	if !ok {
		return out
	}
	n = notificationNames(n)
	if p, ok := n["notification_priority"].(string); ok && !strings.HasPrefix(p, "PRIORITY_") {
		n["notification_priority"] = "PRIORITY_" + strings.ToUpper(p)
	}
	if v, ok := n["visibility"].(string); ok {
		n["visibility"] = strings.ToUpper(v)
	}
	out["notification"] = n
	return out
}

func fcmAPNs(part map[string]any) map[string]any {
	out := maps.Clone(part)
	if options, ok := out["fcmOptions"].(map[string]any); ok {
		out["fcmOptions"] = renamed(map[string]string{"imageUrl": "image"})(options)
	}
	payload, ok := out["payload"].(map[string]any)
	if !ok {
		return out
	}
	payload = maps.Clone(payload)
	if aps, ok := payload["aps"].(map[string]any); ok {
		payload["aps"] = apsObject(aps)
	}
	out["payload"] = payload
	return out
}

// apsObject writes Apple's dashed names and its switches as numbers.
func apsObject(aps map[string]any) map[string]any {
	out := apsNames(aps)
	for _, flag := range []string{"content-available", "mutable-content"} {
		if on, ok := out[flag].(bool); ok {
			delete(out, flag)
			if on {
				out[flag] = 1
			}
		}
	}
	if alert, ok := out["alert"].(map[string]any); ok {
		out["alert"] = alertNames(alert)
	}
	return out
}

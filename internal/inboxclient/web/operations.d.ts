export namespace operations {
    let inboxUpdates: string;
    let subscriber: string;
    let messages: string;
    let counts: string;
    let markMessages: string;
    let archiveMessages: string;
    let unarchiveMessages: string;
    let snoozeMessages: string;
    let unsnoozeMessages: string;
    let deleteMessages: string;
    let markAllMessages: string;
    let completeMessageAction: string;
    let preferences: string;
    let updatePreferences: string;
    let setGlobalPreferences: string;
    let setSchedule: string;
    let subscriptions: string;
    let createSubscriptions: string;
    let deleteSubscriptions: string;
}

/** @typedef {keyof typeof paths} Icon */
/** An icon. Made without HTML, which pages with trusted types refuse. @param {Icon} name */
export function icon(name: Icon): SVGSVGElement;
export type Icon = keyof typeof paths;
declare namespace paths {
    export let bell: string;
    export let filter: string;
    export let readAll: string;
    export let settings: string;
    export let more: string;
    export let close: string;
    export let back: string;
    export let markRead: string;
    export let markUnread: string;
    export let archive: string;
    export let unarchive: string;
    export let snooze: string;
    export let unsnooze: string;
    let _delete: string;
    export { _delete as delete };
    export let up: string;
}
export {};

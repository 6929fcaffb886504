/** What the binding uses of react-dom, whose types are not a dependency. */
declare module "react-dom" {
	export function createPortal(
		children: import("react").ReactNode,
		container: Element,
		key?: string | null,
	): import("react").ReactPortal;
}

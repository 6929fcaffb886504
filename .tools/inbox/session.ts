// What a page of an application knows of its session; here the test says it in the address: #URL,TOKEN.
const [address = "", token = ""] = typeof location === "undefined" ? [] : location.hash.slice(1).split(",");

/** Where Carillon is. */
export const url = address || "http://127.0.0.1:8080";

/** Asks the application's own server for a token of the reader's, such as with fetch("/inbox-token"). */
export const fetchToken = async (): Promise<string> => token;

var e=Object.create,t=Object.defineProperty,n=Object.getOwnPropertyDescriptor,r=Object.getOwnPropertyNames,i=Object.getPrototypeOf,a=Object.prototype.hasOwnProperty,o=(e,t)=>()=>(t||(e((t={exports:{}}).exports,t,t.exports),e=null),t.exports),s=(e,i,o,s)=>{if(i&&typeof i==`object`||typeof i==`function`)for(var c=r(i),l=0,u=c.length,d;l<u;l++)d=c[l],!a.call(e,d)&&d!==o&&t(e,d,{get:(e=>i[e]).bind(null,d),enumerable:!(s=n(i,d))||s.enumerable});return e},c=(n,r,o)=>(o=n==null?{}:e(i(n)),s(r||!n||!n.__esModule||!a.call(n,`default`)?t(o,`default`,{value:n,enumerable:!0}):o,n)),l=o((e=>{var t=Symbol.for(`react.transitional.element`),n=Symbol.for(`react.portal`),r=Symbol.for(`react.fragment`),i=Symbol.for(`react.strict_mode`),a=Symbol.for(`react.profiler`),o=Symbol.for(`react.consumer`),s=Symbol.for(`react.context`),c=Symbol.for(`react.forward_ref`),l=Symbol.for(`react.suspense`),u=Symbol.for(`react.memo`),d=Symbol.for(`react.lazy`),f=Symbol.for(`react.activity`),p=Symbol.for(`react.view_transition`),m=Symbol.iterator;function h(e){return typeof e!=`object`||!e?null:(e=m&&e[m]||e[`@@iterator`],typeof e==`function`?e:null)}var g={isMounted:function(){return!1},enqueueForceUpdate:function(){},enqueueReplaceState:function(){},enqueueSetState:function(){}},_=Object.assign,v={};function y(e,t,n){this.props=e,this.context=t,this.refs=v,this.updater=n||g}y.prototype.isReactComponent={},y.prototype.setState=function(e,t){if(typeof e!=`object`&&typeof e!=`function`&&e!=null)throw Error(`takes an object of state variables to update or a function which returns an object of state variables.`);this.updater.enqueueSetState(this,e,t,`setState`)},y.prototype.forceUpdate=function(e){this.updater.enqueueForceUpdate(this,e,`forceUpdate`)};function b(){}b.prototype=y.prototype;function ee(e,t,n){this.props=e,this.context=t,this.refs=v,this.updater=n||g}var te=ee.prototype=new b;te.constructor=ee,_(te,y.prototype),te.isPureReactComponent=!0;var ne=Array.isArray;function re(){}var x={H:null,A:null,T:null,S:null},ie=Object.prototype.hasOwnProperty;function S(e,n,r){var i=r.ref;return{$$typeof:t,type:e,key:n,ref:i===void 0?null:i,props:r}}function ae(e,t){return S(e.type,t,e.props)}function oe(e){return typeof e==`object`&&!!e&&e.$$typeof===t}function se(e){var t={"=":`=0`,":":`=2`};return`$`+e.replace(/[=:]/g,function(e){return t[e]})}var ce=/\/+/g;function le(e,t){return typeof e==`object`&&e&&e.key!=null?se(``+e.key):t.toString(36)}function ue(e){switch(e.status){case`fulfilled`:return e.value;case`rejected`:throw e.reason;default:switch(typeof e.status==`string`?e.then(re,re):(e.status=`pending`,e.then(function(t){e.status===`pending`&&(e.status=`fulfilled`,e.value=t)},function(t){e.status===`pending`&&(e.status=`rejected`,e.reason=t)})),e.status){case`fulfilled`:return e.value;case`rejected`:throw e.reason}}throw e}function de(e,r,i,a,o){var s=typeof e;(s===`undefined`||s===`boolean`)&&(e=null);var c=!1;if(e===null)c=!0;else switch(s){case`bigint`:case`string`:case`number`:c=!0;break;case`object`:switch(e.$$typeof){case t:case n:c=!0;break;case d:return c=e._init,de(c(e._payload),r,i,a,o)}}if(c)return o=o(e),c=a===``?`.`+le(e,0):a,ne(o)?(i=``,c!=null&&(i=c.replace(ce,`$&/`)+`/`),de(o,r,i,``,function(e){return e})):o!=null&&(oe(o)&&(o=ae(o,i+(o.key==null||e&&e.key===o.key?``:(``+o.key).replace(ce,`$&/`)+`/`)+c)),r.push(o)),1;c=0;var l=a===``?`.`:a+`:`;if(ne(e))for(var u=0;u<e.length;u++)a=e[u],s=l+le(a,u),c+=de(a,r,i,s,o);else if(u=h(e),typeof u==`function`)for(e=u.call(e),u=0;!(a=e.next()).done;)a=a.value,s=l+le(a,u++),c+=de(a,r,i,s,o);else if(s===`object`){if(typeof e.then==`function`)return de(ue(e),r,i,a,o);throw r=String(e),Error(`Objects are not valid as a React child (found: `+(r===`[object Object]`?`object with keys {`+Object.keys(e).join(`, `)+`}`:r)+`). If you meant to render a collection of children, use an array instead.`)}return c}function fe(e,t,n){if(e==null)return e;var r=[],i=0;return de(e,r,``,``,function(e){return t.call(n,e,i++)}),r}function pe(e){if(e._status===-1){var t=e._result,n=t();n.then(function(t){(e._status===0||e._status===-1)&&(e._status=1,e._result=t,n.status===void 0&&(n.status=`fulfilled`,n.value=t))},function(t){(e._status===0||e._status===-1)&&(e._status=2,e._result=t,n.status===void 0&&(n.status=`rejected`,n.reason=t))}),e._status===-1&&(e._status=0,e._result=n)}if(e._status===1)return e._result.default;throw e._result}var me=typeof reportError==`function`?reportError:function(e){if(typeof window==`object`&&typeof window.ErrorEvent==`function`){var t=new window.ErrorEvent(`error`,{bubbles:!0,cancelable:!0,message:typeof e==`object`&&e&&typeof e.message==`string`?String(e.message):String(e),error:e});if(!window.dispatchEvent(t))return}else if(typeof process==`object`&&typeof process.emit==`function`){process.emit(`uncaughtException`,e);return}console.error(e)};function he(e){var t=x.T,n={};n.types=t===null?null:t.types,x.T=n;try{var r=e(),i=x.S;i!==null&&i(n,r),typeof r==`object`&&r&&typeof r.then==`function`&&r.then(re,me)}catch(e){me(e)}finally{t!==null&&n.types!==null&&(t.types=n.types),x.T=t}}function ge(e){var t=x.T;if(t!==null){var n=t.types;n===null?t.types=[e]:n.indexOf(e)===-1&&n.push(e)}else he(ge.bind(null,e))}var _e={map:fe,forEach:function(e,t,n){fe(e,function(){t.apply(this,arguments)},n)},count:function(e){var t=0;return fe(e,function(){t++}),t},toArray:function(e){return fe(e,function(e){return e})||[]},only:function(e){if(!oe(e))throw Error(`React.Children.only expected to receive a single React element child.`);return e}};e.Activity=f,e.Children=_e,e.Component=y,e.Fragment=r,e.Profiler=a,e.PureComponent=ee,e.StrictMode=i,e.Suspense=l,e.ViewTransition=p,e.__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE=x,e.__COMPILER_RUNTIME={__proto__:null,c:function(e){return x.H.useMemoCache(e)}},e.addTransitionType=ge,e.cache=function(e){return function(){return e.apply(null,arguments)}},e.cacheSignal=function(){return null},e.cloneElement=function(e,t,n){if(e==null)throw Error(`The argument must be a React element, but you passed `+e+`.`);var r=_({},e.props),i=e.key;if(t!=null)for(a in t.key!==void 0&&(i=``+t.key),t)!ie.call(t,a)||a===`key`||a===`__self`||a===`__source`||a===`ref`&&t.ref===void 0||(r[a]=t[a]);var a=arguments.length-2;if(a===1)r.children=n;else if(1<a){for(var o=Array(a),s=0;s<a;s++)o[s]=arguments[s+2];r.children=o}return S(e.type,i,r)},e.createContext=function(e){return e={$$typeof:s,_currentValue:e,_currentValue2:e,_threadCount:0,Provider:null,Consumer:null},e.Provider=e,e.Consumer={$$typeof:o,_context:e},e},e.createElement=function(e,t,n){var r,i={},a=null;if(t!=null)for(r in t.key!==void 0&&(a=``+t.key),t)ie.call(t,r)&&r!==`key`&&r!==`__self`&&r!==`__source`&&(i[r]=t[r]);var o=arguments.length-2;if(o===1)i.children=n;else if(1<o){for(var s=Array(o),c=0;c<o;c++)s[c]=arguments[c+2];i.children=s}if(e&&e.defaultProps)for(r in o=e.defaultProps,o)i[r]===void 0&&(i[r]=o[r]);return S(e,a,i)},e.createRef=function(){return{current:null}},e.forwardRef=function(e){return{$$typeof:c,render:e}},e.isValidElement=oe,e.lazy=function(e){return{$$typeof:d,_payload:{_status:-1,_result:e},_init:pe}},e.memo=function(e,t){return{$$typeof:u,type:e,compare:t===void 0?null:t}},e.startTransition=he,e.unstable_useCacheRefresh=function(){return x.H.useCacheRefresh()},e.use=function(e){return x.H.use(e)},e.useActionState=function(e,t,n){return x.H.useActionState(e,t,n)},e.useCallback=function(e,t){return x.H.useCallback(e,t)},e.useContext=function(e){return x.H.useContext(e)},e.useDebugValue=function(){},e.useDeferredValue=function(e,t){return x.H.useDeferredValue(e,t)},e.useEffect=function(e,t){return x.H.useEffect(e,t)},e.useEffectEvent=function(e){return x.H.useEffectEvent(e)},e.useId=function(){return x.H.useId()},e.useImperativeHandle=function(e,t,n){return x.H.useImperativeHandle(e,t,n)},e.useInsertionEffect=function(e,t){return x.H.useInsertionEffect(e,t)},e.useLayoutEffect=function(e,t){return x.H.useLayoutEffect(e,t)},e.useMemo=function(e,t){return x.H.useMemo(e,t)},e.useOptimistic=function(e,t){return x.H.useOptimistic(e,t)},e.useReducer=function(e,t,n){return x.H.useReducer(e,t,n)},e.useRef=function(e){return x.H.useRef(e)},e.useState=function(e){return x.H.useState(e)},e.useSyncExternalStore=function(e,t,n){return x.H.useSyncExternalStore(e,t,n)},e.useTransition=function(){return x.H.useTransition()},e.version=`19.3.1`})),u=o(((e,t)=>{t.exports=l()})),d=o((e=>{function t(e,t){var n=e.length;e.push(t);a:for(;0<n;){var r=n-1>>>1,a=e[r];if(0<i(a,t))e[r]=t,e[n]=a,n=r;else break a}}function n(e){return e.length===0?null:e[0]}function r(e){if(e.length===0)return null;var t=e[0],n=e.pop();if(n!==t){e[0]=n;a:for(var r=0,a=e.length,o=a>>>1;r<o;){var s=2*(r+1)-1,c=e[s],l=s+1,u=e[l];if(0>i(c,n))l<a&&0>i(u,c)?(e[r]=u,e[l]=n,r=l):(e[r]=c,e[s]=n,r=s);else if(l<a&&0>i(u,n))e[r]=u,e[l]=n,r=l;else break a}}return t}function i(e,t){var n=e.sortIndex-t.sortIndex;return n===0?e.id-t.id:n}if(e.unstable_now=void 0,typeof performance==`object`&&typeof performance.now==`function`){var a=performance;e.unstable_now=function(){return a.now()}}else{var o=Date,s=o.now();e.unstable_now=function(){return o.now()-s}}var c=[],l=[],u=1,d=null,f=3,p=!1,m=!1,h=!1,g=!1,_=typeof setTimeout==`function`?setTimeout:null,v=typeof clearTimeout==`function`?clearTimeout:null,y=typeof setImmediate<`u`?setImmediate:null;function b(e){for(var i=n(l);i!==null;){if(i.callback===null)r(l);else if(i.startTime<=e)r(l),i.sortIndex=i.expirationTime,t(c,i);else break;i=n(l)}}function ee(e){if(h=!1,b(e),!m){if(n(c)!==null)m=!0,te||(te=!0,ae());else{var t=n(l);t!==null&&ce(ee,t.startTime-e)}}}var te=!1,ne=-1,re=5,x=-1;function ie(){return g?!0:!(e.unstable_now()-x<re)}function S(){if(g=!1,te){var t=e.unstable_now();x=t;var i=!0;try{a:{m=!1,h&&(h=!1,v(ne),ne=-1),p=!0;var a=f;try{b:{for(b(t),d=n(c);d!==null&&!(d.expirationTime>t&&ie());){var o=d.callback;if(typeof o==`function`){d.callback=null,f=d.priorityLevel;var s=o(d.expirationTime<=t);if(t=e.unstable_now(),typeof s==`function`){d.callback=s,b(t),i=!0;break b}d===n(c)&&r(c),b(t)}else r(c);d=n(c)}if(d!==null)i=!0;else{var u=n(l);u!==null&&ce(ee,u.startTime-t),i=!1}}break a}finally{d=null,f=a,p=!1}i=void 0}}finally{i?ae():te=!1}}}var ae;if(typeof y==`function`)ae=function(){y(S)};else if(typeof MessageChannel<`u`){var oe=new MessageChannel,se=oe.port2;oe.port1.onmessage=S,ae=function(){se.postMessage(null)}}else ae=function(){_(S,0)};function ce(t,n){ne=_(function(){t(e.unstable_now())},n)}e.unstable_IdlePriority=5,e.unstable_ImmediatePriority=1,e.unstable_LowPriority=4,e.unstable_NormalPriority=3,e.unstable_Profiling=null,e.unstable_UserBlockingPriority=2,e.unstable_cancelCallback=function(e){e.callback=null},e.unstable_forceFrameRate=function(e){0>e||125<e?console.error(`forceFrameRate takes a positive int between 0 and 125, forcing frame rates higher than 125 fps is not supported`):re=0<e?Math.floor(1e3/e):5},e.unstable_getCurrentPriorityLevel=function(){return f},e.unstable_next=function(e){switch(f){case 1:case 2:case 3:var t=3;break;default:t=f}var n=f;f=t;try{return e()}finally{f=n}},e.unstable_requestPaint=function(){g=!0},e.unstable_runWithPriority=function(e,t){switch(e){case 1:case 2:case 3:case 4:case 5:break;default:e=3}var n=f;f=e;try{return t()}finally{f=n}},e.unstable_scheduleCallback=function(r,i,a){var o=e.unstable_now();switch(typeof a==`object`&&a?(a=a.delay,a=typeof a==`number`&&0<a?o+a:o):a=o,r){case 1:var s=-1;break;case 2:s=250;break;case 5:s=1073741823;break;case 4:s=1e4;break;default:s=5e3}return s=a+s,r={id:u++,callback:i,priorityLevel:r,startTime:a,expirationTime:s,sortIndex:-1},a>o?(r.sortIndex=a,t(l,r),n(c)===null&&r===n(l)&&(h?(v(ne),ne=-1):h=!0,ce(ee,a-o))):(r.sortIndex=s,t(c,r),m||p||(m=!0,te||(te=!0,ae()))),r},e.unstable_shouldYield=ie,e.unstable_wrapCallback=function(e){var t=f;return function(){var n=f;f=t;try{return e.apply(this,arguments)}finally{f=n}}}})),f=o(((e,t)=>{t.exports=d()})),p=o((e=>{var t=u();function n(e){var t=`https://react.dev/errors/`+e;if(1<arguments.length){t+=`?args[]=`+encodeURIComponent(arguments[1]);for(var n=2;n<arguments.length;n++)t+=`&args[]=`+encodeURIComponent(arguments[n])}return`Minified React error #`+e+`; visit `+t+` for the full message or use the non-minified dev environment for full errors and additional helpful warnings.`}function r(){}var i={d:{f:r,r:function(){throw Error(n(522))},D:r,C:r,L:r,m:r,X:r,S:r,M:r},p:0,findDOMNode:null},a=Symbol.for(`react.portal`),o=Symbol.for(`react.recoverable`),s=Symbol.for(`react.optimistic_key`);function c(e,t,n){var r=3<arguments.length&&arguments[3]!==void 0?arguments[3]:null;return{$$typeof:a,key:r==null?null:r===s?s:``+r,children:e,containerInfo:t,implementation:n}}var l=t.__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE;function d(e,t){if(e===`font`)return``;if(typeof t==`string`)return t===`use-credentials`?t:``}e.__DOM_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE=i,e.browser=function(e){return{$$typeof:o,_reason:e}},e.createPortal=function(e,t){var r=2<arguments.length&&arguments[2]!==void 0?arguments[2]:null;if(!t||t.nodeType!==1&&t.nodeType!==9&&t.nodeType!==11)throw Error(n(299));return c(e,t,null,r)},e.flushSync=function(e){var t=l.T,n=i.p;try{if(l.T=null,i.p=2,e)return e()}finally{l.T=t,i.p=n,i.d.f()}},e.preconnect=function(e,t){typeof e==`string`&&(t?(t=t.crossOrigin,t=typeof t==`string`?t===`use-credentials`?t:``:void 0):t=null,i.d.C(e,t))},e.prefetchDNS=function(e){typeof e==`string`&&i.d.D(e)},e.preinit=function(e,t){if(typeof e==`string`&&t&&typeof t.as==`string`){var n=t.as,r=d(n,t.crossOrigin),a=typeof t.integrity==`string`?t.integrity:void 0,o=typeof t.fetchPriority==`string`?t.fetchPriority:void 0;n===`style`?i.d.S(e,typeof t.precedence==`string`?t.precedence:void 0,{crossOrigin:r,integrity:a,fetchPriority:o}):n===`script`&&i.d.X(e,{crossOrigin:r,integrity:a,fetchPriority:o,nonce:typeof t.nonce==`string`?t.nonce:void 0})}},e.preinitModule=function(e,t){if(typeof e==`string`){if(typeof t==`object`&&t){if(t.as==null||t.as===`script`){var n=d(t.as,t.crossOrigin);i.d.M(e,{crossOrigin:n,integrity:typeof t.integrity==`string`?t.integrity:void 0,nonce:typeof t.nonce==`string`?t.nonce:void 0,fetchPriority:typeof t.fetchPriority==`string`?t.fetchPriority:void 0})}}else t??i.d.M(e)}},e.preload=function(e,t){if(typeof e==`string`&&typeof t==`object`&&t&&typeof t.as==`string`){var n=t.as,r=d(n,t.crossOrigin);i.d.L(e,n,{crossOrigin:r,integrity:typeof t.integrity==`string`?t.integrity:void 0,nonce:typeof t.nonce==`string`?t.nonce:void 0,type:typeof t.type==`string`?t.type:void 0,fetchPriority:typeof t.fetchPriority==`string`?t.fetchPriority:void 0,referrerPolicy:typeof t.referrerPolicy==`string`?t.referrerPolicy:void 0,imageSrcSet:typeof t.imageSrcSet==`string`?t.imageSrcSet:void 0,imageSizes:typeof t.imageSizes==`string`?t.imageSizes:void 0,media:typeof t.media==`string`?t.media:void 0})}},e.preloadModule=function(e,t){if(typeof e==`string`){if(t){var n=d(t.as,t.crossOrigin);i.d.m(e,{as:typeof t.as==`string`&&t.as!==`script`?t.as:void 0,crossOrigin:n,integrity:typeof t.integrity==`string`?t.integrity:void 0,nonce:typeof t.nonce==`string`?t.nonce:void 0,fetchPriority:typeof t.fetchPriority==`string`?t.fetchPriority:void 0})}else i.d.m(e)}},e.requestFormReset=function(e){i.d.r(e)},e.unstable_batchedUpdates=function(e,t){return e(t)},e.useFormState=function(e,t,n){return l.H.useFormState(e,t,n)},e.useFormStatus=function(){return l.H.useHostTransitionStatus()},e.version=`19.3.1`})),m=o(((e,t)=>{function n(){if(typeof __REACT_DEVTOOLS_GLOBAL_HOOK__<`u`&&typeof __REACT_DEVTOOLS_GLOBAL_HOOK__.checkDCE==`function`)try{__REACT_DEVTOOLS_GLOBAL_HOOK__.checkDCE(n)}catch(e){console.error(e)}}n(),t.exports=p()})),h=o((e=>{var t=f(),n=u(),r=m();function i(e){var t=`https://react.dev/errors/`+e;if(1<arguments.length){t+=`?args[]=`+encodeURIComponent(arguments[1]);for(var n=2;n<arguments.length;n++)t+=`&args[]=`+encodeURIComponent(arguments[n])}return`Minified React error #`+e+`; visit `+t+` for the full message or use the non-minified dev environment for full errors and additional helpful warnings.`}function a(e){return!(!e||e.nodeType!==1&&e.nodeType!==9&&e.nodeType!==11)}function o(e){for(var t=e,n=t;n&&!n.alternate;)t=n,t.flags&4098&&(e=t.return),n=t.return;for(;t.return;)t=t.return;return t.tag===3?e:null}function s(e){if(e.tag===13){var t=e.memoizedState;if(t===null&&(e=e.alternate,e!==null&&(t=e.memoizedState)),t!==null)return t.dehydrated}return null}function c(e){if(e.tag===31){var t=e.memoizedState;if(t===null&&(e=e.alternate,e!==null&&(t=e.memoizedState)),t!==null)return t.dehydrated}return null}function l(e){if(o(e)!==e)throw Error(i(188))}function d(e){var t=e.alternate;if(!t){if(t=o(e),t===null)throw Error(i(188));return t===e?e:null}for(var n=e,r=t;;){var a=n.return;if(a===null)break;var s=a.alternate;if(s===null){if(r=a.return,r!==null){n=r;continue}break}if(a.child===s.child){for(s=a.child;s;){if(s===n)return l(a),e;if(s===r)return l(a),t;s=s.sibling}throw Error(i(188))}if(n.return!==r.return)n=a,r=s;else{for(var c=!1,u=a.child;u;){if(u===n){c=!0,n=a,r=s;break}if(u===r){c=!0,r=a,n=s;break}u=u.sibling}if(!c){for(u=s.child;u;){if(u===n){c=!0,n=s,r=a;break}if(u===r){c=!0,r=s,n=a;break}u=u.sibling}if(!c)throw Error(i(189))}}if(n.alternate!==r)throw Error(i(190))}if(n.tag!==3)throw Error(i(188));return n.stateNode.current===n?e:t}function p(e){var t=e.tag;if(t===5||t===26||t===27||t===6)return e;for(e=e.child;e!==null;){if(t=p(e),t!==null)return t;e=e.sibling}return null}function h(e,t,n,r,i,a){for(;e!==null;){if((e.tag===5||e.tag===27||e.tag===6)&&n(e,r,i,a)||(e.tag!==22||e.memoizedState===null)&&(t||e.tag!==5&&e.tag!==27)&&h(e.child,t,n,r,i,a))return!0;e=e.sibling}return!1}function g(e){for(e=e.return;e!==null;){if(e.tag===3||e.tag===5||e.tag===27)return e;e=e.return}return null}function _(e){var t=!1;for(e=e.return;e!==null&&(e.tag===4&&(t=!0),e.tag!==3&&e.tag!==5&&e.tag!==27);)e=e.return;return t}function v(e){var t=[null,null],n=g(e);return n===null||y(t,e,n.child,{foundSelf:!1}),t}function y(e,t,n,r){for(;n!==null;){if(n===t)r.foundSelf=!0;else if(n.tag===5||n.tag===27||n.tag===6){if(r.foundSelf)return e[1]=n,!0;e[0]=n}else if((n.tag!==22||n.memoizedState===null)&&y(e,t,n.child,r))return!0;n=n.sibling}return!1}function b(e){switch(e.tag){case 5:case 27:case 6:return e.stateNode;case 3:return e.stateNode.containerInfo;default:throw Error(i(559))}}var ee=null,te=null;function ne(e,t,n){return e===n||e===t&&(ee=e,!0)}function re(e,t,n){return e===n?(te=e,!1):e===t&&(te!==null&&(ee=e),!0)}function x(e){if(e===null)return null;do e=e===null?null:e.return;while(e&&e.tag!==5&&e.tag!==27&&e.tag!==3);return e||null}function ie(e,t,n){for(var r=0,i=e;i;i=n(i))r++;i=0;for(var a=t;a;a=n(a))i++;for(;0<r-i;)e=n(e),r--;for(;0<i-r;)t=n(t),i--;for(;r--;){if(e===t||t!==null&&e===t.alternate)return e;e=n(e),t=n(t)}return null}var S=Object.assign,ae=Symbol.for(`react.element`),oe=Symbol.for(`react.transitional.element`),se=Symbol.for(`react.portal`),ce=Symbol.for(`react.fragment`),le=Symbol.for(`react.strict_mode`),ue=Symbol.for(`react.profiler`),de=Symbol.for(`react.consumer`),fe=Symbol.for(`react.context`),pe=Symbol.for(`react.forward_ref`),me=Symbol.for(`react.suspense`),he=Symbol.for(`react.suspense_list`),ge=Symbol.for(`react.memo`),_e=Symbol.for(`react.lazy`),ve=Symbol.for(`react.activity`),ye=Symbol.for(`react.legacy_hidden`),be=Symbol.for(`react.memo_cache_sentinel`),xe=Symbol.for(`react.view_transition`),Se=Symbol.for(`react.recoverable`),Ce=Symbol.iterator;function we(e){return typeof e!=`object`||!e?null:(e=Ce&&e[Ce]||e[`@@iterator`],typeof e==`function`?e:null)}var Te=Symbol.for(`react.client.reference`);function Ee(e){if(e==null)return null;if(typeof e==`function`)return e.$$typeof===Te?null:e.displayName||e.name||null;if(typeof e==`string`)return e;switch(e){case ce:return`Fragment`;case ue:return`Profiler`;case le:return`StrictMode`;case me:return`Suspense`;case he:return`SuspenseList`;case ve:return`Activity`;case xe:return`ViewTransition`}if(typeof e==`object`)switch(e.$$typeof){case se:return`Portal`;case fe:return e.displayName||`Context`;case de:return(e._context.displayName||`Context`)+`.Consumer`;case pe:var t=e.render;return e=e.displayName,e||=(e=t.displayName||t.name||``,e===``?`ForwardRef`:`ForwardRef(`+e+`)`),e;case ge:return t=e.displayName||null,t===null?Ee(e.type)||`Memo`:t;case _e:t=e._payload,e=e._init;try{return Ee(e(t))}catch{}}return null}var De=Array.isArray,C=n.__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE,w=r.__DOM_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE,Oe={pending:!1,data:null,method:null,action:null},ke=[],Ae=-1;function je(e){return{current:e}}function Me(e){0>Ae||(e.current=ke[Ae],ke[Ae]=null,Ae--)}function T(e,t){Ae++,ke[Ae]=e.current,e.current=t}var E=je(null),Ne=je(null),Pe=je(null),Fe=je(null);function Ie(e,t){switch(T(Pe,t),T(Ne,e),T(E,null),t.nodeType){case 9:case 11:e=(e=t.documentElement)&&(e=e.namespaceURI)?up(e):0;break;default:if(e=t.tagName,t=t.namespaceURI)t=up(t),e=dp(t,e);else switch(e){case`svg`:e=1;break;case`math`:e=2;break;default:e=0}}Me(E),T(E,e)}function Le(){Me(E),Me(Ne),Me(Pe)}function Re(e){var t=e.memoizedState;t!==null&&(sh._currentValue=t.memoizedState,T(Fe,e)),t=E.current;var n=dp(t,e.type);t!==n&&(T(Ne,e),T(E,n))}function ze(e){Ne.current===e&&(Me(E),Me(Ne)),Fe.current===e&&(Me(Fe),sh._currentValue=Oe)}var Be,Ve;function He(e){if(Be===void 0)try{throw Error()}catch(e){var t=e.stack.trim().match(/\n( *(at )?)/);Be=t&&t[1]||``,Ve=-1<e.stack.indexOf(`
    at`)?` (<anonymous>)`:-1<e.stack.indexOf(`@`)?`@unknown:0:0`:``}return`
`+Be+e+Ve}var Ue=!1;function We(e,t){if(!e||Ue)return``;Ue=!0;var n=Error.prepareStackTrace;Error.prepareStackTrace=void 0;try{var r={DetermineComponentFrameRoot:function(){try{if(t){var n=function(){throw Error()};if(Object.defineProperty(n.prototype,"props",{set:function(){throw Error()}}),typeof Reflect==`object`&&Reflect.construct){try{Reflect.construct(n,[])}catch(e){var r=e}Reflect.construct(e,[],n)}else{try{n.call()}catch(e){r=e}n=!1;try{var i=Object.getOwnPropertyDescriptor(e.prototype,`props`);Object.defineProperty(e.prototype,"props",{configurable:!0,set:function(){throw Error()}}),n=!0,new e}finally{n&&(i===void 0?delete e.prototype.props:Object.defineProperty(e.prototype,"props",i))}}}else{try{throw Error()}catch(e){r=e}(n=e())&&typeof n.catch==`function`&&n.catch(function(){})}}catch(e){if(e&&r&&typeof e.stack==`string`)return[e.stack,r.stack]}return[null,null]}};r.DetermineComponentFrameRoot.displayName=`DetermineComponentFrameRoot`;var i=Object.getOwnPropertyDescriptor(r.DetermineComponentFrameRoot,`name`);i&&i.configurable&&Object.defineProperty(r.DetermineComponentFrameRoot,"name",{value:`DetermineComponentFrameRoot`});var a=r.DetermineComponentFrameRoot(),o=a[0],s=a[1];if(o&&s){var c=o.split(`
`),l=s.split(`
`);for(i=r=0;r<c.length&&!c[r].includes(`DetermineComponentFrameRoot`);)r++;for(;i<l.length&&!l[i].includes(`DetermineComponentFrameRoot`);)i++;if(r===c.length||i===l.length)for(r=c.length-1,i=l.length-1;1<=r&&0<=i&&c[r]!==l[i];)i--;for(;1<=r&&0<=i;r--,i--)if(c[r]!==l[i]){if(r!==1||i!==1)do if(r--,i--,0>i||c[r]!==l[i]){var u=`
`+c[r].replace(` at new `,` at `);return e.displayName&&u.includes(`<anonymous>`)&&(u=u.replace(`<anonymous>`,e.displayName)),u}while(1<=r&&0<=i);break}}}finally{Ue=!1,Error.prepareStackTrace=n}return(n=e?e.displayName||e.name:``)?He(n):``}function Ge(e,t){switch(e.tag){case 26:case 27:case 5:return He(e.type);case 16:return He(`Lazy`);case 13:return e.child!==t&&t!==null?He(`Suspense Fallback`):He(`Suspense`);case 19:return He(`SuspenseList`);case 0:case 15:return We(e.type,!1);case 11:return We(e.type.render,!1);case 1:return We(e.type,!0);case 31:return He(`Activity`);case 30:return He(`ViewTransition`);default:return``}}function Ke(e){try{var t=``,n=null;do t+=Ge(e,n),n=e,e=e.return;while(e);return t}catch(e){return`
Error generating stack: `+e.message+`
`+e.stack}}var qe=Object.prototype.hasOwnProperty,Je=t.unstable_scheduleCallback,Ye=t.unstable_cancelCallback,Xe=t.unstable_shouldYield,Ze=t.unstable_requestPaint,Qe=t.unstable_now,$e=t.unstable_getCurrentPriorityLevel,et=t.unstable_ImmediatePriority,tt=t.unstable_UserBlockingPriority,nt=t.unstable_NormalPriority,rt=t.unstable_LowPriority,it=t.unstable_IdlePriority,at=t.log,ot=t.unstable_setDisableYieldValue,st=null,ct=null;function lt(e){if(typeof at==`function`&&ot(e),ct&&typeof ct.setStrictMode==`function`)try{ct.setStrictMode(st,e)}catch{}}var ut=Math.clz32?Math.clz32:pt,dt=Math.log,ft=Math.LN2;function pt(e){return e>>>=0,e===0?32:31-(dt(e)/ft|0)|0}var mt=256,ht=262144,D=4194304;function O(e){var t=e&42;if(t!==0)return t;switch(e&-e){case 1:return 1;case 2:return 2;case 4:return 4;case 8:return 8;case 16:return 16;case 32:return 32;case 64:return 64;case 128:return 128;case 256:case 512:case 1024:case 2048:case 4096:case 8192:case 16384:case 32768:case 65536:case 131072:return e&-e;case 262144:case 524288:case 1048576:case 2097152:return e&3932160;case 4194304:case 8388608:case 16777216:case 33554432:return e&62914560;case 67108864:return 67108864;case 134217728:return 134217728;case 268435456:return 268435456;case 536870912:return 536870912;case 1073741824:return 0;default:return e}}function gt(e,t,n){var r=e.pendingLanes;if(r===0)return 0;var i=0,a=e.suspendedLanes,o=e.pingedLanes;e=e.warmLanes;var s=r&134217727;return s===0?(s=r&~a,s===0?o===0?n||(n=r&~e,n!==0&&(i=O(n))):i=O(o):i=O(s)):(r=s&~a,r===0?(o&=s,o===0?n||(n=s&~e,n!==0&&(i=O(n))):i=O(o)):i=O(r)),i===0?0:t!==0&&t!==i&&(t&a)===0&&(a=i&-i,n=t&-t,a>=n||a===32&&n&4194048)?t:i}function _t(e,t){return(e.pendingLanes&~(e.suspendedLanes&~e.pingedLanes)&t)===0}function vt(e,t){t&8&&(t|=t&32);var n=e.entangledLanes;if(n!==0)for(e=e.entanglements,n&=t;0<n;){var r=31-ut(n),i=1<<r;t|=e[r],n&=~i}return t}function k(e,t){switch(e){case 1:case 2:case 4:case 8:case 64:return t+250;case 16:case 32:case 128:case 256:case 512:case 1024:case 2048:case 4096:case 8192:case 16384:case 32768:case 65536:case 131072:case 262144:case 524288:case 1048576:case 2097152:return t+5e3;case 4194304:case 8388608:case 16777216:case 33554432:return-1;case 67108864:case 134217728:case 268435456:case 536870912:case 1073741824:return-1;default:return-1}}function yt(){var e=D;return D<<=1,!(D&62914560)&&(D=4194304),e}function bt(e){for(var t=[],n=0;31>n;n++)t.push(e);return t}function xt(e,t){e.pendingLanes|=t,t!==268435456&&(e.suspendedLanes=0,e.pingedLanes=0,e.warmLanes=0)}function St(e,t,n,r,i,a){var o=e.pendingLanes;e.pendingLanes=n,e.suspendedLanes=0,e.pingedLanes=0,e.warmLanes=0,e.expiredLanes&=n,e.entangledLanes&=n,e.errorRecoveryDisabledLanes&=n,e.shellSuspendCounter=0;var s=e.entanglements,c=e.expirationTimes,l=e.hiddenUpdates;for(n=o&~n;0<n;){var u=31-ut(n),d=1<<u;s[u]=0,c[u]=-1;var f=l[u];if(f!==null)for(l[u]=null,u=0;u<f.length;u++){var p=f[u];p!==null&&(p.lane&=-536870913)}n&=~d}r!==0&&Ct(e,r,0),a!==0&&i===0&&e.tag!==0&&(e.suspendedLanes|=a&~(o&~t))}function Ct(e,t,n){e.pendingLanes|=t,e.suspendedLanes&=~t;var r=31-ut(t);e.entangledLanes|=t,e.entanglements[r]=e.entanglements[r]|1073741824|n&261930}function wt(e,t){var n=e.entangledLanes|=t;for(e=e.entanglements;n;){var r=31-ut(n),i=1<<r;i&t|e[r]&t&&(e[r]|=t),n&=~i}}function Tt(e,t){var n=t&-t;return n=n&42?1:Et(n),(n&(e.suspendedLanes|t))===0?n:0}function Et(e){switch(e){case 2:e=1;break;case 8:e=4;break;case 32:e=16;break;case 256:case 512:case 1024:case 2048:case 4096:case 8192:case 16384:case 32768:case 65536:case 131072:case 262144:case 524288:case 1048576:case 2097152:case 4194304:case 8388608:case 16777216:case 33554432:e=128;break;case 268435456:e=134217728;break;default:e=0}return e}function Dt(e){return e&=-e,2<e?8<e?e&134217727?32:268435456:8:2}function Ot(){var e=w.p;return e===0?(e=window.event,e===void 0?32:Ch(e.type)):e}function kt(e,t){var n=w.p;try{return w.p=e,t()}finally{w.p=n}}var At=Math.random().toString(36).slice(2),jt=`__reactFiber$`+At,Mt=`__reactProps$`+At,Nt=`__reactContainer$`+At,Pt=`__reactEvents$`+At,Ft=`__reactListeners$`+At,It=`__reactHandles$`+At,Lt=`__reactResources$`+At,Rt=`__reactMarker$`+At,zt=`__reactLoad$`+At;function Bt(e){delete e[jt],delete e[Mt],delete e[Ft],delete e[It]}function Vt(e){var t;if(t=e[jt])return t;for(var n=e.parentNode;n;){if(t=n[Nt]||n[jt]){if(n=t.alternate,t.child!==null||n!==null&&n.child!==null)for(e=fm(e);e!==null;){if(n=e[jt])return n;e=fm(e)}return t}e=n,n=e.parentNode}return null}function Ht(e){if(e=e[jt]||e[Nt]){var t=e.tag;if(t===5||t===6||t===13||t===31||t===26||t===27||t===3)return e}return null}function Ut(e){var t=e.tag;if(t===5||t===26||t===27||t===6)return e.stateNode;throw Error(i(33))}function Wt(e){var t=e[Lt];return t||=e[Lt]={hoistableStyles:new Map,hoistableScripts:new Map},t}function Gt(e){e[Rt]=!0}function Kt(e){e[zt]=void 0}var qt=new Set,Jt={};function Yt(e,t){Xt(e,t),Xt(e+`Capture`,t)}function Xt(e,t){for(Jt[e]=t,e=0;e<t.length;e++)qt.add(t[e])}var Zt=RegExp(`^[:A-Z_a-z\\u00C0-\\u00D6\\u00D8-\\u00F6\\u00F8-\\u02FF\\u0370-\\u037D\\u037F-\\u1FFF\\u200C-\\u200D\\u2070-\\u218F\\u2C00-\\u2FEF\\u3001-\\uD7FF\\uF900-\\uFDCF\\uFDF0-\\uFFFD][:A-Z_a-z\\u00C0-\\u00D6\\u00D8-\\u00F6\\u00F8-\\u02FF\\u0370-\\u037D\\u037F-\\u1FFF\\u200C-\\u200D\\u2070-\\u218F\\u2C00-\\u2FEF\\u3001-\\uD7FF\\uF900-\\uFDCF\\uFDF0-\\uFFFD\\-.0-9\\u00B7\\u0300-\\u036F\\u203F-\\u2040]*$`),Qt={},$t={};function en(e){return qe.call($t,e)?!0:qe.call(Qt,e)?!1:Zt.test(e)?$t[e]=!0:(Qt[e]=!0,!1)}var A=!1;function tn(){var e=A;return A=!1,e}function nn(e,t,n){if(en(t)){if(n===null)e.removeAttribute(t);else{switch(typeof n){case`undefined`:case`function`:case`symbol`:e.removeAttribute(t);return;case`boolean`:var r=t.toLowerCase().slice(0,5);if(r!==`data-`&&r!==`aria-`){e.removeAttribute(t);return}}e.setAttribute(t,n)}}}function rn(e,t,n){if(n===null)e.removeAttribute(t);else{switch(typeof n){case`undefined`:case`function`:case`symbol`:case`boolean`:e.removeAttribute(t);return}e.setAttribute(t,n)}}function an(e,t,n,r){if(r===null)e.removeAttribute(n);else{switch(typeof r){case`undefined`:case`function`:case`symbol`:case`boolean`:e.removeAttribute(n);return}e.setAttributeNS(t,n,r)}}function on(e){switch(typeof e){case`bigint`:case`boolean`:case`number`:case`string`:case`undefined`:return e;case`object`:return e;default:return``}}function sn(e){var t=e.type;return(e=e.nodeName)&&e.toLowerCase()===`input`&&(t===`checkbox`||t===`radio`)}function cn(e,t,n){var r=Object.getOwnPropertyDescriptor(e.constructor.prototype,t);if(!e.hasOwnProperty(t)&&r!==void 0&&typeof r.get==`function`&&typeof r.set==`function`){var i=r.get,a=r.set;return Object.defineProperty(e,t,{configurable:!0,get:function(){return i.call(this)},set:function(e){n=``+e,a.call(this,e)}}),Object.defineProperty(e,t,{enumerable:r.enumerable}),{getValue:function(){return n},setValue:function(e){n=``+e},stopTracking:function(){e._valueTracker=null,delete e[t]}}}}function ln(e){if(!e._valueTracker){var t=sn(e)?`checked`:`value`;e._valueTracker=cn(e,t,``+e[t])}}function un(e){if(!e)return!1;var t=e._valueTracker;if(!t)return!0;var n=t.getValue(),r=``;return e&&(r=sn(e)?e.checked?`true`:`false`:e.value),e=r,e!==n&&(t.setValue(e),!0)}var dn=/[\n"\\]/g;function fn(e){return e.replace(dn,function(e){return`\\`+e.charCodeAt(0).toString(16)+` `})}function pn(e,t,n,r,i,a,o,s){e.name=``,o!=null&&typeof o!=`function`&&typeof o!=`symbol`&&typeof o!=`boolean`?e.type=o:e.removeAttribute(`type`),t==null?o!==`submit`&&o!==`reset`||e.removeAttribute(`value`):o===`number`?(t===0&&e.value===``||e.value!=t)&&(e.value=``+on(t)):e.value!==``+on(t)&&(e.value=``+on(t)),t==null?n==null?r!=null&&e.removeAttribute(`value`):hn(e,on(n)):o===`number`&&e.value==t?hn(e,on(e.value)):hn(e,on(t)),i==null&&a!=null&&(e.defaultChecked=!!a),i!=null&&(e.checked=i&&typeof i!=`function`&&typeof i!=`symbol`),s!=null&&typeof s!=`function`&&typeof s!=`symbol`&&typeof s!=`boolean`?e.name=``+on(s):e.removeAttribute(`name`)}function mn(e,t,n,r,i,a,o,s){if(a!=null&&typeof a!=`function`&&typeof a!=`symbol`&&typeof a!=`boolean`&&(e.type=a),t!=null||n!=null){if(!(a!==`submit`&&a!==`reset`||t!=null)){ln(e);return}n=n==null?``:``+on(n),t=t==null?n:``+on(t),s||t===e.value||(e.value=t),e.defaultValue=t}r??=i,r=typeof r!=`function`&&typeof r!=`symbol`&&!!r,e.checked=s?e.checked:!!r,e.defaultChecked=!!r,o!=null&&typeof o!=`function`&&typeof o!=`symbol`&&typeof o!=`boolean`&&(e.name=o),ln(e)}function hn(e,t){e.defaultValue!==``+t&&(e.defaultValue=``+t)}function gn(e,t,n,r){if(e=e.options,t){t={};for(var i=0;i<n.length;i++)t[`$`+n[i]]=!0;for(n=0;n<e.length;n++)i=t.hasOwnProperty(`$`+e[n].value),e[n].selected!==i&&(e[n].selected=i),i&&r&&(e[n].defaultSelected=!0)}else{for(n=``+on(n),t=null,i=0;i<e.length;i++){if(e[i].value===n){e[i].selected=!0,r&&(e[i].defaultSelected=!0);return}t!==null||e[i].disabled||(t=e[i])}t!==null&&(t.selected=!0)}}function _n(e,t,n){t!=null&&(t=``+on(t),t!==e.value&&(e.value=t),n==null)?e.defaultValue!==t&&(e.defaultValue=t):e.defaultValue=n==null?``:``+on(n)}function vn(e,t,n,r){if(t==null){if(r!=null){if(n!=null)throw Error(i(92));if(De(r)){if(1<r.length)throw Error(i(93));r=r[0]}n=r}n??=``,t=n}n=on(t),e.defaultValue=n,r=e.textContent,r===n&&r!==``&&r!==null&&(e.value=r),ln(e)}function yn(e,t){if(t){var n=e.firstChild;if(n&&n===e.lastChild&&n.nodeType===3){n.nodeValue=t;return}}e.textContent=t}var bn=new Set(`animationIterationCount aspectRatio borderImageOutset borderImageSlice borderImageWidth boxFlex boxFlexGroup boxOrdinalGroup columnCount columns flex flexGrow flexPositive flexShrink flexNegative flexOrder gridArea gridRow gridRowEnd gridRowSpan gridRowStart gridColumn gridColumnEnd gridColumnSpan gridColumnStart fontWeight lineClamp lineHeight opacity order orphans scale tabSize widows zIndex zoom fillOpacity floodOpacity stopOpacity strokeDasharray strokeDashoffset strokeMiterlimit strokeOpacity strokeWidth MozAnimationIterationCount MozBoxFlex MozBoxFlexGroup MozLineClamp msAnimationIterationCount msFlex msZoom msFlexGrow msFlexNegative msFlexOrder msFlexPositive msFlexShrink msGridColumn msGridColumnSpan msGridRow msGridRowSpan WebkitAnimationIterationCount WebkitBoxFlex WebKitBoxFlexGroup WebkitBoxOrdinalGroup WebkitColumnCount WebkitColumns WebkitFlex WebkitFlexGrow WebkitFlexPositive WebkitFlexShrink WebkitLineClamp`.split(` `));function xn(e,t,n){var r=t.indexOf(`--`)===0;n==null||typeof n==`boolean`||n===``?r?e.setProperty(t,``):t===`float`?e.cssFloat=``:e[t]=``:r?e.setProperty(t,n):typeof n!=`number`||n===0||bn.has(t)?t===`float`?e.cssFloat=n:e[t]=(``+n).trim():e[t]=n+`px`}function Sn(e,t,n){if(t!=null&&typeof t!=`object`)throw Error(i(62));if(e=e.style,n!=null){for(var r in n)!n.hasOwnProperty(r)||t!=null&&t.hasOwnProperty(r)||(r.indexOf(`--`)===0?e.setProperty(r,``):r===`float`?e.cssFloat=``:e[r]=``,A=!0);for(var a in t)r=t[a],t.hasOwnProperty(a)&&n[a]!==r&&(xn(e,a,r),A=!0)}else for(var o in t)t.hasOwnProperty(o)&&xn(e,o,t[o])}function Cn(e){if(e.indexOf(`-`)===-1)return!1;switch(e){case`annotation-xml`:case`color-profile`:case`font-face`:case`font-face-src`:case`font-face-uri`:case`font-face-format`:case`font-face-name`:case`missing-glyph`:return!1;default:return!0}}var wn=new Map([[`acceptCharset`,`accept-charset`],[`htmlFor`,`for`],[`httpEquiv`,`http-equiv`],[`crossOrigin`,`crossorigin`],[`accentHeight`,`accent-height`],[`alignmentBaseline`,`alignment-baseline`],[`arabicForm`,`arabic-form`],[`baselineShift`,`baseline-shift`],[`capHeight`,`cap-height`],[`clipPath`,`clip-path`],[`clipRule`,`clip-rule`],[`colorInterpolation`,`color-interpolation`],[`colorInterpolationFilters`,`color-interpolation-filters`],[`colorProfile`,`color-profile`],[`colorRendering`,`color-rendering`],[`dominantBaseline`,`dominant-baseline`],[`enableBackground`,`enable-background`],[`fillOpacity`,`fill-opacity`],[`fillRule`,`fill-rule`],[`floodColor`,`flood-color`],[`floodOpacity`,`flood-opacity`],[`fontFamily`,`font-family`],[`fontSize`,`font-size`],[`fontSizeAdjust`,`font-size-adjust`],[`fontStretch`,`font-stretch`],[`fontStyle`,`font-style`],[`fontVariant`,`font-variant`],[`fontWeight`,`font-weight`],[`glyphName`,`glyph-name`],[`glyphOrientationHorizontal`,`glyph-orientation-horizontal`],[`glyphOrientationVertical`,`glyph-orientation-vertical`],[`horizAdvX`,`horiz-adv-x`],[`horizOriginX`,`horiz-origin-x`],[`imageRendering`,`image-rendering`],[`letterSpacing`,`letter-spacing`],[`lightingColor`,`lighting-color`],[`markerEnd`,`marker-end`],[`markerMid`,`marker-mid`],[`markerStart`,`marker-start`],[`maskType`,`mask-type`],[`overlinePosition`,`overline-position`],[`overlineThickness`,`overline-thickness`],[`paintOrder`,`paint-order`],[`panose-1`,`panose-1`],[`pointerEvents`,`pointer-events`],[`renderingIntent`,`rendering-intent`],[`shapeRendering`,`shape-rendering`],[`stopColor`,`stop-color`],[`stopOpacity`,`stop-opacity`],[`strikethroughPosition`,`strikethrough-position`],[`strikethroughThickness`,`strikethrough-thickness`],[`strokeDasharray`,`stroke-dasharray`],[`strokeDashoffset`,`stroke-dashoffset`],[`strokeLinecap`,`stroke-linecap`],[`strokeLinejoin`,`stroke-linejoin`],[`strokeMiterlimit`,`stroke-miterlimit`],[`strokeOpacity`,`stroke-opacity`],[`strokeWidth`,`stroke-width`],[`textAnchor`,`text-anchor`],[`textDecoration`,`text-decoration`],[`textRendering`,`text-rendering`],[`transformOrigin`,`transform-origin`],[`underlinePosition`,`underline-position`],[`underlineThickness`,`underline-thickness`],[`unicodeBidi`,`unicode-bidi`],[`unicodeRange`,`unicode-range`],[`unitsPerEm`,`units-per-em`],[`vAlphabetic`,`v-alphabetic`],[`vHanging`,`v-hanging`],[`vIdeographic`,`v-ideographic`],[`vMathematical`,`v-mathematical`],[`vectorEffect`,`vector-effect`],[`vertAdvY`,`vert-adv-y`],[`vertOriginX`,`vert-origin-x`],[`vertOriginY`,`vert-origin-y`],[`wordSpacing`,`word-spacing`],[`writingMode`,`writing-mode`],[`xmlnsXlink`,`xmlns:xlink`],[`xHeight`,`x-height`]]),Tn=/^[\u0000-\u001F ]*j[\r\n\t]*a[\r\n\t]*v[\r\n\t]*a[\r\n\t]*s[\r\n\t]*c[\r\n\t]*r[\r\n\t]*i[\r\n\t]*p[\r\n\t]*t[\r\n\t]*:/i;function En(e){return Tn.test(``+e)?`javascript:throw new Error('React has blocked a javascript: URL as a security precaution.')`:e}function Dn(){}var On=null;function kn(e){return e=e.target||e.srcElement||window,e.correspondingUseElement&&(e=e.correspondingUseElement),e.nodeType===3?e.parentNode:e}var An=null,jn=null;function Mn(e){var t=Ht(e);if(t&&(e=t.stateNode)){var n=e[Mt]||null;a:switch(e=t.stateNode,t.type){case`input`:if(pn(e,n.value,n.defaultValue,n.defaultValue,n.checked,n.defaultChecked,n.type,n.name),t=n.name,n.type===`radio`&&t!=null){for(n=e;n.parentNode;)n=n.parentNode;for(n=n.querySelectorAll(`input[name="`+fn(``+t)+`"][type="radio"]`),t=0;t<n.length;t++){var r=n[t];if(r!==e&&r.form===e.form){var a=r[Mt]||null;if(!a)throw Error(i(90));pn(r,a.value,a.defaultValue,a.defaultValue,a.checked,a.defaultChecked,a.type,a.name)}}for(t=0;t<n.length;t++)r=n[t],r.form===e.form&&un(r)}break a;case`textarea`:_n(e,n.value,n.defaultValue);break a;case`select`:t=n.value,t!=null&&gn(e,!!n.multiple,t,!1)}}}var Nn=!1;function Pn(e,t,n){if(Nn)return e(t,n);Nn=!0;try{return e(t)}finally{if(Nn=!1,(An!==null||jn!==null)&&(Rd(),An&&(t=An,e=jn,jn=An=null,Mn(t),e)))for(t=0;t<e.length;t++)Mn(e[t])}}function Fn(e,t){var n=e.stateNode;if(n===null)return null;var r=n[Mt]||null;if(r===null)return null;n=r[t];a:switch(t){case`onClick`:case`onClickCapture`:case`onDoubleClick`:case`onDoubleClickCapture`:case`onMouseDown`:case`onMouseDownCapture`:case`onMouseMove`:case`onMouseMoveCapture`:case`onMouseUp`:case`onMouseUpCapture`:case`onMouseEnter`:(r=!r.disabled)||(e=e.type,r=e!==`button`&&e!==`input`&&e!==`select`&&e!==`textarea`),e=!r;break a;default:e=!1}if(e)return null;if(n&&typeof n!=`function`)throw Error(i(231,t,typeof n));return n}var In=typeof window<`u`&&window.document!==void 0&&window.document.createElement!==void 0,Ln=!1;if(In)try{var Rn={};Object.defineProperty(Rn,"passive",{get:function(){Ln=!0}}),window.addEventListener(`test`,Rn,Rn),window.removeEventListener(`test`,Rn,Rn)}catch{Ln=!1}var zn=null,Bn=null,Vn=null;function Hn(){if(Vn)return Vn;var e,t=Bn,n=t.length,r,i=`value`in zn?zn.value:zn.textContent,a=i.length;for(e=0;e<n&&t[e]===i[e];e++);var o=n-e;for(r=1;r<=o&&t[n-r]===i[a-r];r++);return Vn=i.slice(e,1<r?1-r:void 0)}function Un(e){var t=e.keyCode;return`charCode`in e?(e=e.charCode,e===0&&t===13&&(e=13)):e=t,e===10&&(e=13),32<=e||e===13?e:0}function Wn(){return!0}function Gn(){return!1}function Kn(e){function t(t,n,r,i,a){for(var o in this._reactName=t,this._targetInst=r,this.type=n,this.nativeEvent=i,this.target=a,this.currentTarget=null,e)e.hasOwnProperty(o)&&(t=e[o],this[o]=t?t(i):i[o]);return this.isDefaultPrevented=(i.defaultPrevented==null?!1===i.returnValue:i.defaultPrevented)?Wn:Gn,this.isPropagationStopped=Gn,this}return S(t.prototype,{preventDefault:function(){this.defaultPrevented=!0;var e=this.nativeEvent;e&&(e.preventDefault?e.preventDefault():typeof e.returnValue!=`unknown`&&(e.returnValue=!1),this.isDefaultPrevented=Wn)},stopPropagation:function(){var e=this.nativeEvent;e&&(e.stopPropagation?e.stopPropagation():typeof e.cancelBubble!=`unknown`&&(e.cancelBubble=!0),this.isPropagationStopped=Wn)},persist:function(){},isPersistent:Wn}),t}var qn={eventPhase:0,bubbles:0,cancelable:0,timeStamp:function(e){return e.timeStamp||Date.now()},defaultPrevented:0,isTrusted:0},Jn=Kn(qn),Yn=S({},qn,{view:0,detail:0}),Xn=Kn(Yn),Zn,Qn,$n,er=S({},Yn,{screenX:0,screenY:0,clientX:0,clientY:0,pageX:0,pageY:0,ctrlKey:0,shiftKey:0,altKey:0,metaKey:0,getModifierState:dr,button:0,buttons:0,relatedTarget:function(e){return e.relatedTarget===void 0?e.fromElement===e.srcElement?e.toElement:e.fromElement:e.relatedTarget},movementX:function(e){return`movementX`in e?e.movementX:(e!==$n&&($n&&e.type===`mousemove`?(Zn=e.screenX-$n.screenX,Qn=e.screenY-$n.screenY):Qn=Zn=0,$n=e),Zn)},movementY:function(e){return`movementY`in e?e.movementY:Qn}}),tr=Kn(er),nr=Kn(S({},er,{dataTransfer:0})),rr=Kn(S({},Yn,{relatedTarget:0})),ir=Kn(S({},qn,{animationName:0,elapsedTime:0,pseudoElement:0})),ar=Kn(S({},qn,{clipboardData:function(e){return`clipboardData`in e?e.clipboardData:window.clipboardData}})),or=Kn(S({},qn,{data:0})),sr={Esc:`Escape`,Spacebar:` `,Left:`ArrowLeft`,Up:`ArrowUp`,Right:`ArrowRight`,Down:`ArrowDown`,Del:`Delete`,Win:`OS`,Menu:`ContextMenu`,Apps:`ContextMenu`,Scroll:`ScrollLock`,MozPrintableKey:`Unidentified`},cr={8:`Backspace`,9:`Tab`,12:`Clear`,13:`Enter`,16:`Shift`,17:`Control`,18:`Alt`,19:`Pause`,20:`CapsLock`,27:`Escape`,32:` `,33:`PageUp`,34:`PageDown`,35:`End`,36:`Home`,37:`ArrowLeft`,38:`ArrowUp`,39:`ArrowRight`,40:`ArrowDown`,45:`Insert`,46:`Delete`,112:`F1`,113:`F2`,114:`F3`,115:`F4`,116:`F5`,117:`F6`,118:`F7`,119:`F8`,120:`F9`,121:`F10`,122:`F11`,123:`F12`,144:`NumLock`,145:`ScrollLock`,224:`Meta`},lr={Alt:`altKey`,Control:`ctrlKey`,Meta:`metaKey`,Shift:`shiftKey`};function ur(e){var t=this.nativeEvent;return t.getModifierState?t.getModifierState(e):(e=lr[e])?!!t[e]:!1}function dr(){return ur}var fr=Kn(S({},Yn,{key:function(e){if(e.key){var t=sr[e.key]||e.key;if(t!==`Unidentified`)return t}return e.type===`keypress`?(e=Un(e),e===13?`Enter`:String.fromCharCode(e)):e.type===`keydown`||e.type===`keyup`?cr[e.keyCode]||`Unidentified`:``},code:0,location:0,ctrlKey:0,shiftKey:0,altKey:0,metaKey:0,repeat:0,locale:0,getModifierState:dr,charCode:function(e){return e.type===`keypress`?Un(e):0},keyCode:function(e){return e.type===`keydown`||e.type===`keyup`?e.keyCode:0},which:function(e){return e.type===`keypress`?Un(e):e.type===`keydown`||e.type===`keyup`?e.keyCode:0}})),pr=Kn(S({},er,{pointerId:0,width:0,height:0,pressure:0,tangentialPressure:0,tiltX:0,tiltY:0,twist:0,pointerType:0,isPrimary:0})),mr=Kn(S({},qn,{submitter:0})),hr=Kn(S({},Yn,{touches:0,targetTouches:0,changedTouches:0,altKey:0,metaKey:0,ctrlKey:0,shiftKey:0,getModifierState:dr})),gr=Kn(S({},qn,{propertyName:0,elapsedTime:0,pseudoElement:0})),_r=Kn(S({},er,{deltaX:function(e){return`deltaX`in e?e.deltaX:`wheelDeltaX`in e?-e.wheelDeltaX:0},deltaY:function(e){return`deltaY`in e?e.deltaY:`wheelDeltaY`in e?-e.wheelDeltaY:`wheelDelta`in e?-e.wheelDelta:0},deltaZ:0,deltaMode:0})),vr=Kn(S({},qn,{newState:0,oldState:0,source:0})),yr=[9,13,27,32],br=In&&`CompositionEvent`in window,xr=null;In&&`documentMode`in document&&(xr=document.documentMode);var Sr=In&&`TextEvent`in window&&!xr,Cr=In&&(!br||xr&&8<xr&&11>=xr),wr=` `,Tr=!1;function Er(e,t){switch(e){case`keyup`:return yr.indexOf(t.keyCode)!==-1;case`keydown`:return t.keyCode!==229;case`keypress`:case`mousedown`:case`focusout`:return!0;default:return!1}}function Dr(e){return e=e.detail,typeof e==`object`&&`data`in e?e.data:null}var Or=!1;function kr(e,t){switch(e){case`compositionend`:return Dr(t);case`keypress`:return t.which===32?(Tr=!0,wr):null;case`textInput`:return e=t.data,e===wr&&Tr?null:e;default:return null}}function Ar(e,t){if(Or)return e===`compositionend`||!br&&Er(e,t)?(e=Hn(),Vn=Bn=zn=null,Or=!1,e):null;switch(e){case`paste`:return null;case`keypress`:if(!(t.ctrlKey||t.altKey||t.metaKey)||t.ctrlKey&&t.altKey){if(t.char&&1<t.char.length)return t.char;if(t.which)return String.fromCharCode(t.which)}return null;case`compositionend`:return Cr&&t.locale!==`ko`?null:t.data;default:return null}}var jr={color:!0,date:!0,datetime:!0,"datetime-local":!0,email:!0,month:!0,number:!0,password:!0,range:!0,search:!0,tel:!0,text:!0,time:!0,url:!0,week:!0};function Mr(e){var t=e&&e.nodeName&&e.nodeName.toLowerCase();return t===`input`?!!jr[e.type]:t===`textarea`}function Nr(e,t,n,r){An?jn?jn.push(r):jn=[r]:An=r,t=Jf(t,`onChange`),0<t.length&&(n=new Jn(`onChange`,`change`,null,n,r),e.push({event:n,listeners:t}))}var Pr=null,Fr=null;function Ir(e){Vf(e,0)}function Lr(e){if(un(Ut(e)))return e}function Rr(e,t){if(e===`change`)return t}var j=!1;if(In){var zr;if(In){var Br=`oninput`in document;if(!Br){var Vr=document.createElement(`div`);Vr.setAttribute(`oninput`,`return;`),Br=typeof Vr.oninput==`function`}zr=Br}else zr=!1;j=zr&&(!document.documentMode||9<document.documentMode)}function Hr(){Pr&&(Pr.detachEvent(`onpropertychange`,Ur),Fr=Pr=null)}function Ur(e){if(e.propertyName===`value`&&Lr(Fr)){var t=[];Nr(t,Fr,e,kn(e)),Pn(Ir,t)}}function Wr(e,t,n){e===`focusin`?(Hr(),Pr=t,Fr=n,Pr.attachEvent(`onpropertychange`,Ur)):e===`focusout`&&Hr()}function Gr(e){if(e===`selectionchange`||e===`keyup`||e===`keydown`)return Lr(Fr)}function Kr(e,t){if(e===`click`)return Lr(t)}function qr(e,t){if(e===`input`||e===`change`)return Lr(t)}function Jr(e,t){return e===t&&(e!==0||1/e==1/t)||e!==e&&t!==t}var Yr=typeof Object.is==`function`?Object.is:Jr;function Xr(e,t){if(Yr(e,t))return!0;if(typeof e!=`object`||!e||typeof t!=`object`||!t)return!1;var n=Object.keys(e),r=Object.keys(t);if(n.length!==r.length)return!1;for(r=0;r<n.length;r++){var i=n[r];if(!qe.call(t,i)||!Yr(e[i],t[i]))return!1}return!0}function M(e){if(e||=typeof document<`u`?document:void 0,e===void 0)return null;try{return e.activeElement||e.body}catch{return e.body}}function Zr(e){for(;e&&e.firstChild;)e=e.firstChild;return e}function N(e,t){var n=Zr(e);e=0;for(var r;n;){if(n.nodeType===3){if(r=e+n.textContent.length,e<=t&&r>=t)return{node:n,offset:t-e};e=r}a:{for(;n;){if(n.nextSibling){n=n.nextSibling;break a}n=n.parentNode}n=void 0}n=Zr(n)}}function P(e,t){return e&&t?e===t?!0:e&&e.nodeType===3?!1:t&&t.nodeType===3?P(e,t.parentNode):`contains`in e?e.contains(t):e.compareDocumentPosition?!!(e.compareDocumentPosition(t)&16):!1:!1}function F(e){e=e!=null&&e.ownerDocument!=null&&e.ownerDocument.defaultView!=null?e.ownerDocument.defaultView:window;for(var t=M(e.document);t instanceof e.HTMLIFrameElement;){try{var n=typeof t.contentWindow.location.href==`string`}catch{n=!1}if(n)e=t.contentWindow;else break;t=M(e.document)}return t}function I(e){var t=e&&e.nodeName&&e.nodeName.toLowerCase();return t&&(t===`input`&&(e.type===`text`||e.type===`search`||e.type===`tel`||e.type===`url`||e.type===`password`)||t===`textarea`||e.contentEditable===`true`)}var L=In&&`documentMode`in document&&11>=document.documentMode,R=null,Qr=null,$r=null,ei=!1;function z(e,t,n){var r=n.window===n?n.document:n.nodeType===9?n:n.ownerDocument;ei||R==null||R!==M(r)||(r=R,`selectionStart`in r&&I(r)?r={start:r.selectionStart,end:r.selectionEnd}:(r=(r.ownerDocument&&r.ownerDocument.defaultView||window).getSelection(),r={anchorNode:r.anchorNode,anchorOffset:r.anchorOffset,focusNode:r.focusNode,focusOffset:r.focusOffset}),$r&&Xr($r,r)||($r=r,r=Jf(Qr,`onSelect`),0<r.length&&(t=new Jn(`onSelect`,`select`,null,t,n),e.push({event:t,listeners:r}),t.target=R)))}function ti(e,t){var n={};return n[e.toLowerCase()]=t.toLowerCase(),n[`Webkit`+e]=`webkit`+t,n[`Moz`+e]=`moz`+t,n}var ni={animationend:ti(`Animation`,`AnimationEnd`),animationiteration:ti(`Animation`,`AnimationIteration`),animationstart:ti(`Animation`,`AnimationStart`),transitionrun:ti(`Transition`,`TransitionRun`),transitionstart:ti(`Transition`,`TransitionStart`),transitioncancel:ti(`Transition`,`TransitionCancel`),transitionend:ti(`Transition`,`TransitionEnd`)},ri={},ii={};In&&(ii=document.createElement(`div`).style,`AnimationEvent`in window||(delete ni.animationend.animation,delete ni.animationiteration.animation,delete ni.animationstart.animation),`TransitionEvent`in window||delete ni.transitionend.transition);function ai(e){if(ri[e])return ri[e];if(!ni[e])return e;var t=ni[e],n;for(n in t)if(t.hasOwnProperty(n)&&n in ii)return ri[e]=t[n];return e}var B=ai(`animationend`),oi=ai(`animationiteration`),si=ai(`animationstart`),ci=ai(`transitionrun`),li=ai(`transitionstart`),ui=ai(`transitioncancel`),di=ai(`transitionend`),V=new Map,fi=`abort auxClick beforeToggle cancel canPlay canPlayThrough click close contextMenu copy cut drag dragEnd dragEnter dragExit dragLeave dragOver dragStart drop durationChange emptied encrypted ended error fullscreenChange fullscreenError gotPointerCapture input invalid keyDown keyPress keyUp load loadedData loadedMetadata loadStart lostPointerCapture mouseDown mouseMove mouseOut mouseOver mouseUp paste pause play playing pointerCancel pointerDown pointerMove pointerOut pointerOver pointerUp progress rateChange reset resize seeked seeking stalled submit suspend timeUpdate touchCancel touchEnd touchStart volumeChange scroll toggle touchMove waiting wheel`.split(` `);fi.push(`scrollEnd`);function H(e,t){V.set(e,t),Yt(t,[e])}var U=0;function pi(e,t){if(e.name!=null&&e.name!==`auto`)return e.name;if(t.autoName!==null)return t.autoName;e=yd.identifierPrefix;var n=U++;return e=`_`+e+`t_`+n.toString(32)+`_`,t.autoName=e}function mi(e){if(e==null||typeof e==`string`)return e;var t=null,n=Dd;if(n!==null)for(var r=0;r<n.length;r++){var i=e[n[r]];if(i!=null){if(i===`none`)return`none`;t=t==null?i:t+(` `+i)}}return t??e.default}function W(e,t){return e=mi(e),t=mi(t),t==null?e===`auto`?null:e:t===`auto`?null:t}var hi=typeof reportError==`function`?reportError:function(e){if(typeof window==`object`&&typeof window.ErrorEvent==`function`){var t=new window.ErrorEvent(`error`,{bubbles:!0,cancelable:!0,message:typeof e==`object`&&e&&typeof e.message==`string`?String(e.message):String(e),error:e});if(!window.dispatchEvent(t))return}else if(typeof process==`object`&&typeof process.emit==`function`){process.emit(`uncaughtException`,e);return}console.error(e)},gi=[],_i=0,vi=0;function yi(){for(var e=_i,t=vi=_i=0;t<e;){var n=gi[t];gi[t++]=null;var r=gi[t];gi[t++]=null;var i=gi[t];gi[t++]=null;var a=gi[t];if(gi[t++]=null,r!==null&&i!==null){var o=r.pending;o===null?i.next=i:(i.next=o.next,o.next=i),r.pending=i}a!==0&&Ci(n,i,a)}}function bi(e,t,n,r){gi[_i++]=e,gi[_i++]=t,gi[_i++]=n,gi[_i++]=r,vi|=r,e.lanes|=r,e=e.alternate,e!==null&&(e.lanes|=r)}function xi(e,t,n,r){return bi(e,t,n,r),wi(e)}function Si(e,t){return bi(e,null,null,t),wi(e)}function Ci(e,t,n){e.lanes|=n;var r=e.alternate;r!==null&&(r.lanes|=n);for(var i=!1,a=e.return;a!==null;)a.childLanes|=n,r=a.alternate,r!==null&&(r.childLanes|=n),a.tag===22&&(e=a.stateNode,e===null||e._visibility&1||(i=!0)),e=a,a=a.return;return e.tag===3?(a=e.stateNode,i&&t!==null&&(i=31-ut(n),e=a.hiddenUpdates,r=e[i],r===null?e[i]=[t]:r.push(t),t.lane=n|536870912),a):null}function wi(e){if(50<Od)throw Od=0,kd=null,Error(i(185));for(var t=e.return;t!==null;)e=t,t=e.return;return e.tag===3?e.stateNode:null}var Ti={};function Ei(e,t,n,r){this.tag=e,this.key=n,this.sibling=this.child=this.return=this.stateNode=this.type=this.elementType=null,this.index=0,this.refCleanup=this.ref=null,this.pendingProps=t,this.dependencies=this.memoizedState=this.updateQueue=this.memoizedProps=null,this.mode=r,this.subtreeFlags=this.flags=0,this.deletions=null,this.childLanes=this.lanes=0,this.alternate=null}function Di(e,t,n,r){return new Ei(e,t,n,r)}function Oi(e){return e=e.prototype,!(!e||!e.isReactComponent)}function ki(e,t){var n=e.alternate;return n===null?(n=Di(e.tag,t,e.key,e.mode),n.elementType=e.elementType,n.type=e.type,n.stateNode=e.stateNode,n.alternate=e,e.alternate=n):(n.pendingProps=t,n.type=e.type,n.flags=0,n.subtreeFlags=0,n.deletions=null),n.flags=e.flags&1206910976,n.childLanes=e.childLanes,n.lanes=e.lanes,n.child=e.child,n.memoizedProps=e.memoizedProps,n.memoizedState=e.memoizedState,n.updateQueue=e.updateQueue,t=e.dependencies,n.dependencies=t===null?null:{lanes:t.lanes,firstContext:t.firstContext},n.sibling=e.sibling,n.index=e.index,n.ref=e.ref,n.refCleanup=e.refCleanup,n}function Ai(e,t){e.flags&=1206910978;var n=e.alternate;return n===null?(e.childLanes=0,e.lanes=t,e.child=null,e.subtreeFlags=0,e.memoizedProps=null,e.memoizedState=null,e.updateQueue=null,e.dependencies=null,e.stateNode=null):(e.childLanes=n.childLanes,e.lanes=n.lanes,e.child=n.child,e.subtreeFlags=0,e.deletions=null,e.memoizedProps=n.memoizedProps,e.memoizedState=n.memoizedState,e.updateQueue=n.updateQueue,e.type=n.type,t=n.dependencies,e.dependencies=t===null?null:{lanes:t.lanes,firstContext:t.firstContext}),e}function ji(e,t,n,r,a,o){var s=0;if(r=e,typeof r==`function`)Oi(r)&&(s=1);else if(typeof r==`string`)s=qm(e,n,E.current)?26:e===`html`||e===`head`||e===`body`?27:5;else a:switch(r){case ve:return e=Di(31,n,t,a),e.elementType=ve,e.lanes=o,e;case ce:return Mi(n.children,a,o,t);case le:s=8,a|=24;break;case ue:return e=Di(12,n,t,a|2),e.elementType=ue,e.lanes=o,e;case me:return e=Di(13,n,t,a),e.elementType=me,e.lanes=o,e;case he:return e=Di(19,n,t,a),e.elementType=he,e.lanes=o,e;case ye:case xe:return e=a|32,e=Di(30,n,t,e),e.elementType=xe,e.lanes=o,e.stateNode={autoName:null,paired:null,clones:null,ref:null},e;default:if(typeof r==`object`&&r)switch(r.$$typeof){case fe:s=10;break a;case de:s=9;break a;case pe:s=11;break a;case ge:s=14;break a;case _e:s=16,r=null;break a}s=29,n=Error(i(130,e===null?`null`:typeof e,``)),r=null}return t=Di(s,n,t,a),t.elementType=e,t.type=r,t.lanes=o,t}function Mi(e,t,n,r){return e=Di(7,e,r,t),e.lanes=n,e}function Ni(e,t,n){return e=Di(6,e,null,t),e.lanes=n,e}function Pi(e){var t=Di(18,null,null,0);return t.stateNode=e,t}function Fi(e,t,n){return t=Di(4,e.children===null?[]:e.children,e.key,t),t.lanes=n,t.stateNode={containerInfo:e.containerInfo,pendingChildren:null,implementation:e.implementation},t}var Ii=new WeakMap;function Li(e,t){if(typeof e==`object`&&e){var n=Ii.get(e);return n===void 0?(t={value:e,source:t,stack:Ke(t)},Ii.set(e,t),t):n}return{value:e,source:t,stack:Ke(t)}}var Ri=[],zi=0,Bi=null,Vi=0,Hi=[],Ui=0,Wi=null,Gi=1,Ki=``;function qi(e,t){Ri[zi++]=Vi,Ri[zi++]=Bi,Bi=e,Vi=t}function Ji(e,t,n){Hi[Ui++]=Gi,Hi[Ui++]=Ki,Hi[Ui++]=Wi,Wi=e;var r=Gi;e=Ki;var i=32-ut(r)-1;r&=~(1<<i),n+=1;var a=32-ut(t)+i;if(30<a){var o=i-i%5;a=(r&(1<<o)-1).toString(32),r>>=o,i-=o,Gi=1<<32-ut(t)+i|n<<i|r,Ki=a+e}else Gi=1<<a|n<<i|r,Ki=e}function Yi(e){e.return!==null&&(qi(e,1),Ji(e,1,0))}function Xi(e){for(;e===Bi;)Bi=Ri[--zi],Ri[zi]=null,Vi=Ri[--zi],Ri[zi]=null;for(;e===Wi;)Wi=Hi[--Ui],Hi[Ui]=null,Ki=Hi[--Ui],Hi[Ui]=null,Gi=Hi[--Ui],Hi[Ui]=null}function Zi(e,t){Hi[Ui++]=Gi,Hi[Ui++]=Ki,Hi[Ui++]=Wi,Gi=t.id,Ki=t.overflow,Wi=e}var Qi=null,$i=null,G=!1,ea=null,ta=!1,na=Error(i(519));function ra(e){throw la(Li(Error(i(418,1<arguments.length&&arguments[1]!==void 0&&arguments[1]?`text`:`HTML`,``)),e)),na}function ia(e){var t=e.stateNode,n=e.type,r=e.memoizedProps;switch(t[jt]=e,t[Mt]=r,n){case`dialog`:Q(`cancel`,t),Q(`close`,t);break;case`iframe`:case`object`:case`embed`:Q(`load`,t);break;case`video`:case`audio`:for(n=0;n<zf.length;n++)Q(zf[n],t);break;case`source`:Q(`error`,t);break;case`img`:case`image`:case`link`:Q(`error`,t),Q(`load`,t);break;case`details`:Q(`toggle`,t);break;case`input`:Q(`invalid`,t),mn(t,r.value,r.defaultValue,r.checked,r.defaultChecked,r.type,r.name,!0);break;case`select`:Q(`invalid`,t);break;case`textarea`:Q(`invalid`,t),vn(t,r.value,r.defaultValue,r.children)}n=r.children,typeof n!=`string`&&typeof n!=`number`&&typeof n!=`bigint`||t.textContent===``+n||!0===r.suppressHydrationWarning||ep(t.textContent,n)?(r.popover!=null&&(Q(`beforetoggle`,t),Q(`toggle`,t)),r.onScroll!=null&&Q(`scroll`,t),r.onScrollEnd!=null&&Q(`scrollend`,t),r.onClick!=null&&(t.onclick=Dn),t=!0):t=!1,t||ra(e,!0)}function aa(e){for(Qi=e.return;Qi;)switch(Qi.tag){case 5:case 31:case 13:ta=!1;return;case 27:case 3:ta=!0;return;default:Qi=Qi.return}}function oa(e){if(e!==Qi)return!1;if(!G)return aa(e),G=!0,!1;var t=e.tag,n;if((n=t!==3&&t!==27)&&((n=t===5)&&(n=e.type,n=n===`form`||n===`button`||pp(e.type,e.memoizedProps)),n=!n),n&&$i&&ra(e),aa(e),t===13){if(e=e.memoizedState,e=e===null?null:e.dehydrated,!e)throw Error(i(317));$i=dm(e)}else if(t===31){if(e=e.memoizedState,e=e===null?null:e.dehydrated,!e)throw Error(i(317));$i=dm(e)}else t===27?(t=$i,Sp(e.type)?(e=um,um=null,$i=e):$i=t):$i=Qi?lm(e.stateNode.nextSibling):null;return!0}function sa(){$i=Qi=null,G=!1}function ca(){var e=ea;return e!==null&&(dd===null?dd=e:dd.push.apply(dd,e),ea=null),e}function la(e){ea===null?ea=[e]:ea.push(e)}var ua=je(null),da=null,fa=null;function pa(e,t,n){T(ua,t._currentValue),t._currentValue=n}function ma(e){e._currentValue=ua.current,Me(ua)}function ha(e,t,n){for(;e!==null;){var r=e.alternate;if((e.childLanes&t)===t?r!==null&&(r.childLanes&t)!==t&&(r.childLanes|=t):(e.childLanes|=t,r!==null&&(r.childLanes|=t)),e===n)break;e=e.return}}function ga(e,t,n,r){var a=e.child;for(a!==null&&(a.return=e);a!==null;){var o=a.dependencies;if(o!==null){var s=a.child;o=o.firstContext;a:for(;o!==null;){var c=o;o=a;for(var l=0;l<t.length;l++)if(c.context===t[l]){o.lanes|=n,c=o.alternate,c!==null&&(c.lanes|=n),ha(o.return,n,e),r||(s=null);break a}o=c.next}}else if(a.tag===18){if(s=a.return,s===null)throw Error(i(341));s.lanes|=n,o=s.alternate,o!==null&&(o.lanes|=n),ha(s,n,e),s=null}else a.tag===13&&a.memoizedState!==null&&a.memoizedState.dehydrated===null?(a.lanes|=n,s=a.alternate,s!==null&&(s.lanes|=n),ha(a.return,n,e),s=a.child,s=s===null?null:s.sibling):s=a.child;if(s!==null)s.return=a;else for(s=a;s!==null;){if(s===e){s=null;break}if(a=s.sibling,a!==null){a.return=s.return,s=a;break}s=s.return}a=s}}function _a(e,t,n,r){e=null;for(var a=t,o=!1;a!==null;){if(!o){if(a.flags&524288)o=!0;else if(a.flags&262144)break}if(a.tag===10){var s=a.alternate;if(s===null)throw Error(i(387));if(s=s.memoizedProps,s!==null){var c=a.type;Yr(a.pendingProps.value,s.value)||(e===null?e=[c]:e.push(c))}}else if(a===Fe.current){if(s=a.alternate,s===null)throw Error(i(387));s.memoizedState.memoizedState!==a.memoizedState.memoizedState&&(e===null?e=[sh]:e.push(sh))}a=a.return}return e!==null&&ga(t,e,n,r),t.flags|=262144,e!==null}function va(e){for(e=e.firstContext;e!==null;){if(!Yr(e.context._currentValue,e.memoizedValue))return!0;e=e.next}return!1}function ya(e){da=e,fa=null,e=e.dependencies,e!==null&&(e.firstContext=null)}function ba(e){return Sa(da,e)}function xa(e,t){return da===null&&ya(e),Sa(e,t)}function Sa(e,t){var n=t._currentValue;if(t={context:t,memoizedValue:n,next:null},fa===null){if(e===null)throw Error(i(308));fa=t,e.dependencies={lanes:0,firstContext:t},e.flags|=524288}else fa=fa.next=t;return n}var Ca=typeof AbortController<`u`?AbortController:function(){var e=[],t=this.signal={aborted:!1,addEventListener:function(t,n){e.push(n)}};this.abort=function(){t.aborted=!0,e.forEach(function(e){return e()})}},wa=t.unstable_scheduleCallback,Ta=t.unstable_NormalPriority,Ea={$$typeof:fe,Consumer:null,Provider:null,_currentValue:null,_currentValue2:null,_threadCount:0};function Da(){return{controller:new Ca,data:new Map,refCount:0}}function Oa(e){e.refCount--,e.refCount===0&&wa(Ta,function(){e.controller.abort()})}function ka(e,t){if(e.pendingLanes&4194048){var n=e.transitionTypes;for(n===null&&(n=e.transitionTypes=[]),e=0;e<t.length;e++){var r=t[e];n.indexOf(r)===-1&&n.push(r)}}}var Aa=null;function ja(e){var t=e.transitionTypes;return e.transitionTypes=null,t}var Ma=null,Na=0,Pa=0,Fa=null;function Ia(e,t){if(Ma===null){var n=Ma=[];Na=0,Pa=Pf(),Fa={status:`pending`,value:void 0,then:function(e){n.push(e)}}}return Na++,t.then(La,La),t}function La(){if(--Na===0&&(Aa=null,Ma!==null)){Fa!==null&&(Fa.status=`fulfilled`);var e=Ma;Ma=null,Pa=0,Fa=null;for(var t=0;t<e.length;t++)(0,e[t])()}}function Ra(e,t){var n=[],r={status:`pending`,value:null,reason:null,then:function(e){n.push(e)}};return e.then(function(){r.status=`fulfilled`,r.value=t;for(var e=0;e<n.length;e++)(0,n[e])(t)},function(e){for(r.status=`rejected`,r.reason=e,e=0;e<n.length;e++)(0,n[e])(void 0)}),r}var za=C.S;C.S=function(e,t){if(md=Qe(),typeof t==`object`&&t&&typeof t.then==`function`&&Ia(e,t),Aa!==null)for(var n=bf;n!==null;)ka(n,Aa),n=n.next;if(n=e.types,n!==null){for(var r=bf;r!==null;)ka(r,n),r=r.next;if(Pa!==0){r=Aa,r===null&&(r=Aa=[]);for(var i=0;i<n.length;i++){var a=n[i];r.indexOf(a)===-1&&r.push(a)}}}za!==null&&za(e,t)};var Ba=je(null);function Va(){var e=Ba.current;return e===null?Zu.pooledCache:e}function Ha(e,t){t===null?T(Ba,Ba.current):T(Ba,t.pool)}function Ua(){var e=Va();return e===null?null:{parent:Ea._currentValue,pool:e}}var Wa=Error(i(460)),Ga=Error(i(474)),Ka=Error(i(542)),qa={then:function(){}};function Ja(e){return e=e.status,e===`fulfilled`||e===`rejected`}function Ya(e,t,n){switch(n=e[n],n===void 0?e.push(t):n!==t&&(t.then(Dn,Dn),t=n),t.status){case`fulfilled`:return t.value;case`rejected`:throw e=t.reason,$a(e),e===void 0&&!(`reason`in t)?Error(i(600)):e;default:if(typeof t.status==`string`)t.then(Dn,Dn);else{if(e=Zu,e!==null&&100<e.shellSuspendCounter)throw Error(i(482));e=t,e.status=`pending`,e.then(function(e){if(t.status===`pending`){var n=t;n.status=`fulfilled`,n.value=e}},function(e){if(t.status===`pending`){var n=t;n.status=`rejected`,n.reason=e}})}switch(t.status){case`fulfilled`:return t.value;case`rejected`:throw e=t.reason,$a(e),e}throw Za=t,Wa}}function Xa(e){try{var t=e._init;return t(e._payload)}catch(e){throw typeof e==`object`&&e&&typeof e.then==`function`?(Za=e,Wa):e}}var Za=null;function Qa(){if(Za===null)throw Error(i(459));var e=Za;return Za=null,e}function $a(e){if(e===Wa||e===Ka)throw Error(i(483))}var eo=null,to=0;function no(e){var t=to;return to+=1,eo===null&&(eo=[]),Ya(eo,e,t)}function ro(e,t){t=t.props.ref,e.ref=t===void 0?null:t}function io(e,t){throw t.$$typeof===ae?Error(i(525)):(e=Object.prototype.toString.call(t),Error(i(31,e===`[object Object]`?`object with keys {`+Object.keys(t).join(`, `)+`}`:e)))}function ao(e){function t(t,n){if(e){var r=t.deletions;r===null?(t.deletions=[n],t.flags|=16):r.push(n)}}function n(n,r){if(!e)return null;for(;r!==null;)t(n,r),r=r.sibling;return null}function r(e){for(var t=new Map;e!==null;)e.key===null?t.set(e.index,e):t.set(e.key,e),e=e.sibling;return t}function a(e,t){return e=ki(e,t),e.index=0,e.sibling=null,e}function o(t,n,r){return t.index=r,e?(r=t.alternate,r===null?(t.flags|=134217730,n):(r=r.index,r<n?(t.flags|=2,n):r)):(t.flags|=1048576,n)}function s(t){return e&&t.alternate===null&&(t.flags|=134217730),t}function c(e,t,n,r){return t===null||t.tag!==6?(t=Ni(n,e.mode,r),t.return=e,t):(t=a(t,n),t.return=e,t)}function l(e,t,n,r){var i=n.type;return i===ce?(e=d(e,t,n.props.children,r,n.key),ro(e,n),e):t!==null&&(t.elementType===i||typeof i==`object`&&i&&i.$$typeof===_e&&Xa(i)===t.type)?(t=a(t,n.props),ro(t,n),t.return=e,t):(t=ji(n.type,n.key,n.props,null,e.mode,r),ro(t,n),t.return=e,t)}function u(e,t,n,r){return t===null||t.tag!==4||t.stateNode.containerInfo!==n.containerInfo||t.stateNode.implementation!==n.implementation?(t=Fi(n,e.mode,r),t.return=e,t):(t=a(t,n.children||[]),t.return=e,t)}function d(e,t,n,r,i){return t===null||t.tag!==7?(t=Mi(n,e.mode,r,i),t.return=e,t):(t=a(t,n),t.return=e,t)}function f(e,t,n){if(typeof t==`string`&&t!==``||typeof t==`number`||typeof t==`bigint`)return t=Ni(``+t,e.mode,n),t.return=e,t;if(typeof t==`object`&&t){switch(t.$$typeof){case oe:return n=ji(t.type,t.key,t.props,null,e.mode,n),ro(n,t),n.return=e,n;case se:return t=Fi(t,e.mode,n),t.return=e,t;case _e:return t=Xa(t),f(e,t,n)}if(De(t)||we(t))return t=Mi(t,e.mode,n,null),t.return=e,t;if(typeof t.then==`function`)return f(e,no(t),n);if(t.$$typeof===fe)return f(e,xa(e,t),n);io(e,t)}return null}function p(e,t,n,r){var i=t===null?null:t.key;if(typeof n==`string`&&n!==``||typeof n==`number`||typeof n==`bigint`)return i===null?c(e,t,``+n,r):null;if(typeof n==`object`&&n){switch(n.$$typeof){case oe:return n.key===i?l(e,t,n,r):null;case se:return n.key===i?u(e,t,n,r):null;case _e:return n=Xa(n),p(e,t,n,r)}if(De(n)||we(n))return i===null?d(e,t,n,r,null):null;if(typeof n.then==`function`)return p(e,t,no(n),r);if(n.$$typeof===fe)return p(e,t,xa(e,n),r);io(e,n)}return null}function m(e,t,n,r,i){if(typeof r==`string`&&r!==``||typeof r==`number`||typeof r==`bigint`)return e=e.get(n)||null,c(t,e,``+r,i);if(typeof r==`object`&&r){switch(r.$$typeof){case oe:return e=e.get(r.key===null?n:r.key)||null,l(t,e,r,i);case se:return e=e.get(r.key===null?n:r.key)||null,u(t,e,r,i);case _e:return r=Xa(r),m(e,t,n,r,i)}if(De(r)||we(r))return e=e.get(n)||null,d(t,e,r,i,null);if(typeof r.then==`function`)return m(e,t,n,no(r),i);if(r.$$typeof===fe)return m(e,t,n,xa(t,r),i);io(t,r)}return null}function h(i,a,s,c){for(var l=null,u=null,d=a,h=a=0,g=null;d!==null&&h<s.length;h++){d.index>h?(g=d,d=null):g=d.sibling;var _=p(i,d,s[h],c);if(_===null){d===null&&(d=g);break}e&&d&&_.alternate===null&&t(i,d),a=o(_,a,h),u===null?l=_:u.sibling=_,u=_,d=g}if(h===s.length)return n(i,d),G&&qi(i,h),l;if(d===null){for(;h<s.length;h++)d=f(i,s[h],c),d!==null&&(a=o(d,a,h),u===null?l=d:u.sibling=d,u=d);return G&&qi(i,h),l}for(d=r(d);h<s.length;h++)g=m(d,i,h,s[h],c),g!==null&&(e&&(_=g.alternate,_!==null&&d.delete(_.key===null?h:_.key)),a=o(g,a,h),u===null?l=g:u.sibling=g,u=g);return e&&d.forEach(function(e){return t(i,e)}),G&&qi(i,h),l}function g(a,s,c,l){if(c==null)throw Error(i(151));for(var u=null,d=null,h=s,g=s=0,_=null,v=c.next();h!==null&&!v.done;g++,v=c.next()){h.index>g?(_=h,h=null):_=h.sibling;var y=p(a,h,v.value,l);if(y===null){h===null&&(h=_);break}e&&h&&y.alternate===null&&t(a,h),s=o(y,s,g),d===null?u=y:d.sibling=y,d=y,h=_}if(v.done)return n(a,h),G&&qi(a,g),u;if(h===null){for(;!v.done;g++,v=c.next())v=f(a,v.value,l),v!==null&&(s=o(v,s,g),d===null?u=v:d.sibling=v,d=v);return G&&qi(a,g),u}for(h=r(h);!v.done;g++,v=c.next())v=m(h,a,g,v.value,l),v!==null&&(e&&(_=v.alternate,_!==null&&h.delete(_.key===null?g:_.key)),s=o(v,s,g),d===null?u=v:d.sibling=v,d=v);return e&&h.forEach(function(e){return t(a,e)}),G&&qi(a,g),u}function _(e,r,o,c){if(typeof o==`object`&&o&&o.type===ce&&o.key===null&&o.props.ref===void 0&&(o=o.props.children),typeof o==`object`&&o){switch(o.$$typeof){case oe:a:{for(var l=o.key;r!==null;){if(r.key===l){if(l=o.type,l===ce){if(r.tag===7){n(e,r.sibling),c=a(r,o.props.children),ro(c,o),c.return=e,e=c;break a}}else if(r.elementType===l||typeof l==`object`&&l&&l.$$typeof===_e&&Xa(l)===r.type){n(e,r.sibling),c=a(r,o.props),ro(c,o),c.return=e,e=c;break a}n(e,r);break}t(e,r),r=r.sibling}o.type===ce?(c=Mi(o.props.children,e.mode,c,o.key),ro(c,o),c.return=e,e=c):(c=ji(o.type,o.key,o.props,null,e.mode,c),ro(c,o),c.return=e,e=c)}return s(e);case se:a:{for(l=o.key;r!==null;){if(r.key===l){if(r.tag===4&&r.stateNode.containerInfo===o.containerInfo&&r.stateNode.implementation===o.implementation){n(e,r.sibling),c=a(r,o.children||[]),c.return=e,e=c;break a}n(e,r);break}t(e,r),r=r.sibling}c=Fi(o,e.mode,c),c.return=e,e=c}return s(e);case _e:return o=Xa(o),_(e,r,o,c)}if(De(o))return h(e,r,o,c);if(we(o)){if(l=we(o),typeof l!=`function`)throw Error(i(150));return o=l.call(o),g(e,r,o,c)}if(typeof o.then==`function`)return _(e,r,no(o),c);if(o.$$typeof===fe)return _(e,r,xa(e,o),c);io(e,o)}return typeof o==`string`&&o!==``||typeof o==`number`||typeof o==`bigint`?(o=``+o,r!==null&&r.tag===6?(n(e,r.sibling),c=a(r,o),c.return=e,e=c):(n(e,r),c=Ni(o,e.mode,c),c.return=e,e=c),s(e)):n(e,r)}return function(e,t,n,r){try{to=0;var i=_(e,t,n,r);return eo=null,i}catch(t){if(t===Wa||t===Ka)throw t;var a=Di(29,t,null,e.mode);return a.lanes=r,a.return=e,a}}}var oo=ao(!0),so=ao(!1),co=!1;function lo(e){e.updateQueue={baseState:e.memoizedState,firstBaseUpdate:null,lastBaseUpdate:null,shared:{pending:null,lanes:0,hiddenCallbacks:null},callbacks:null}}function uo(e,t){e=e.updateQueue,t.updateQueue===e&&(t.updateQueue={baseState:e.baseState,firstBaseUpdate:e.firstBaseUpdate,lastBaseUpdate:e.lastBaseUpdate,shared:e.shared,callbacks:null})}function fo(e){return{lane:e,tag:0,payload:null,callback:null,next:null}}function po(e,t,n){var r=e.updateQueue;if(r===null)return null;if(r=r.shared,Y&2){var i=r.pending;return i===null?t.next=t:(t.next=i.next,i.next=t),r.pending=t,t=wi(e),Ci(e,null,n),t}return bi(e,r,t,n),wi(e)}function mo(e,t,n){if(t=t.updateQueue,t!==null&&(t=t.shared,n&4194048)){var r=t.lanes;r&=e.pendingLanes,n|=r,t.lanes=n,wt(e,n)}}function ho(e,t){var n=e.updateQueue,r=e.alternate;if(r!==null&&(r=r.updateQueue,n===r)){var i=null,a=null;if(n=n.firstBaseUpdate,n!==null){do{var o={lane:n.lane,tag:n.tag,payload:n.payload,callback:null,next:null};a===null?i=a=o:a=a.next=o,n=n.next}while(n!==null);a===null?i=a=t:a=a.next=t}else i=a=t;n={baseState:r.baseState,firstBaseUpdate:i,lastBaseUpdate:a,shared:r.shared,callbacks:r.callbacks},e.updateQueue=n}else e=n.lastBaseUpdate,e===null?n.firstBaseUpdate=t:e.next=t,n.lastBaseUpdate=t}var go=!1;function _o(){if(go){var e=Fa;if(e!==null)throw e}}function vo(e,t,n,r){go=!1;var i=e.updateQueue;co=!1;var a=i.firstBaseUpdate,o=i.lastBaseUpdate,s=i.shared.pending;if(s!==null){i.shared.pending=null;var c=s,l=c.next;c.next=null,o===null?a=l:o.next=l,o=c;var u=e.alternate;u!==null&&(u=u.updateQueue,s=u.lastBaseUpdate,s!==o&&(s===null?u.firstBaseUpdate=l:s.next=l,u.lastBaseUpdate=c))}if(a!==null){var d=i.baseState;o=0,u=l=c=null,s=a;do{var f=s.lane&-536870913,p=f!==s.lane;if(p?(Z&f)===f:(r&f)===f){f!==0&&f===Pa&&(go=!0),u!==null&&(u=u.next={lane:0,tag:s.tag,payload:s.payload,callback:null,next:null});a:{var m=e,h=s;f=t;var g=n;switch(h.tag){case 1:if(m=h.payload,typeof m==`function`){d=m.call(g,d,f);break a}d=m;break a;case 3:m.flags=m.flags&-65537|128;case 0:if(m=h.payload,f=typeof m==`function`?m.call(g,d,f):m,f==null)break a;d=S({},d,f);break a;case 2:co=!0}}f=s.callback,f!==null&&(e.flags|=64,p&&(e.flags|=8192),p=i.callbacks,p===null?i.callbacks=[f]:p.push(f))}else p={lane:f,tag:s.tag,payload:s.payload,callback:s.callback,next:null},u===null?(l=u=p,c=d):u=u.next=p,o|=f;if(s=s.next,s===null){if(s=i.shared.pending,s===null)break;p=s,s=p.next,p.next=null,i.lastBaseUpdate=p,i.shared.pending=null}}while(1);u===null&&(c=d),i.baseState=c,i.firstBaseUpdate=l,i.lastBaseUpdate=u,a===null&&(i.shared.lanes=0),ad|=o,e.lanes=o,e.memoizedState=d}}function yo(e,t){if(typeof e!=`function`)throw Error(i(191,e));e.call(t)}function bo(e,t){var n=e.callbacks;if(n!==null)for(e.callbacks=null,e=0;e<n.length;e++)yo(n[e],t)}var xo=je(null),So=je(0);function Co(e,t){e=rd,T(So,e),T(xo,t),rd=e|t.baseLanes}function wo(){T(So,rd),T(xo,xo.current)}function To(){rd=So.current,Me(xo),Me(So)}var Eo=je(null),Do=null;function Oo(e){var t=e.alternate;T(No,No.current&1),T(Eo,e),Do===null&&(t===null||xo.current!==null||t.memoizedState!==null)&&(Do=e)}function ko(e){T(No,No.current),T(Eo,e),Do===null&&(Do=e)}function Ao(e){e.tag===22?(T(No,No.current),T(Eo,e),Do===null&&(Do=e)):jo()}function jo(){T(No,No.current),T(Eo,Eo.current)}function Mo(e){Me(Eo),Do===e&&(Do=null),Me(No)}var No=je(0);function Po(e,t){T(Eo,Eo.current),T(No,t)}function Fo(e){Me(No),Me(Eo),Do===e&&(Do=null)}function Io(e){for(var t=e;t!==null;){if(t.tag===13){var n=t.memoizedState;if(n!==null&&(n=n.dehydrated,n===null||om(n)||sm(n)))return t}else if(t.tag===19&&t.memoizedProps.revealOrder!==`independent`){if(t.flags&128)return t}else if(t.child!==null){t.child.return=t,t=t.child;continue}if(t===e)break;for(;t.sibling===null;){if(t.return===null||t.return===e)return null;t=t.return}t.sibling.return=t.return,t=t.sibling}return null}var Lo=0,K=null,q=null,Ro=null,zo=!1,Bo=!1,Vo=!1,Ho=0,Uo=0,Wo=null,Go=0;function Ko(){throw Error(i(321))}function qo(e,t){if(t===null)return!1;for(var n=0;n<t.length&&n<e.length;n++)if(!Yr(e[n],t[n]))return!1;return!0}function Jo(e,t,n,r,i,a){return Lo=a,K=t,t.memoizedState=null,t.updateQueue=null,t.lanes=0,C.H=e===null||e.memoizedState===null?dc:fc,Vo=!1,a=n(r,i),Vo=!1,Bo&&(a=Xo(t,n,r,i)),Yo(e),a}function Yo(e){C.H=uc;var t=q!==null&&q.next!==null;if(Lo=0,Ro=q=K=null,zo=!1,Uo=0,Wo=null,t)throw Error(i(300));e===null||kc||(e=e.dependencies,e!==null&&va(e)&&(kc=!0))}function Xo(e,t,n,r){K=e;var a=0;do{if(Bo&&(Wo=null),Uo=0,Bo=!1,25<=a)throw Error(i(301));if(a+=1,Ro=q=null,e.updateQueue!=null){var o=e.updateQueue;o.lastEffect=null,o.events=null,o.stores=null,o.memoCache!=null&&(o.memoCache.index=0)}C.H=pc,o=t(n,r)}while(Bo);return o}function Zo(){var e=C.H,t=e.useState()[0];return t=typeof t.then==`function`?is(t):t,e=e.useState()[0],(q===null?null:q.memoizedState)!==e&&(K.flags|=1024),t}function Qo(){var e=Ho!==0;return Ho=0,e}function $o(e,t,n){t.updateQueue=e.updateQueue,t.flags&=-2053,e.lanes&=~n}function es(e){if(zo){for(e=e.memoizedState;e!==null;){var t=e.queue;t!==null&&(t.pending=null),e=e.next}zo=!1}Lo=0,Ro=q=K=null,Bo=!1,Uo=Ho=0,Wo=null}function ts(){var e={memoizedState:null,baseState:null,baseQueue:null,queue:null,next:null};return Ro===null?K.memoizedState=Ro=e:Ro=Ro.next=e,Ro}function ns(){if(q===null){var e=K.alternate;e=e===null?null:e.memoizedState}else e=q.next;var t=Ro===null?K.memoizedState:Ro.next;if(t!==null)Ro=t,q=e;else{if(e===null)throw K.alternate===null?Error(i(467)):Error(i(310));q=e,e={memoizedState:q.memoizedState,baseState:q.baseState,baseQueue:q.baseQueue,queue:q.queue,next:null},Ro===null?K.memoizedState=Ro=e:Ro=Ro.next=e}return Ro}function rs(){return{lastEffect:null,events:null,stores:null,memoCache:null}}function is(e){var t=Uo;return Uo+=1,Wo===null&&(Wo=[]),e=Ya(Wo,e,t),t=K,(Ro===null?t.memoizedState:Ro.next)===null&&(t=t.alternate,C.H=t===null||t.memoizedState===null?dc:fc),e}function as(e){if(typeof e==`object`&&e){if(typeof e.then==`function`)return is(e);if(e.$$typeof===Se)return;if(e.$$typeof===fe)return ba(e)}throw Error(i(438,String(e)))}function os(e){var t=null,n=K.updateQueue;if(n!==null&&(t=n.memoCache),t==null){var r=K.alternate;r!==null&&(r=r.updateQueue,r!==null&&(r=r.memoCache,r!=null&&(t={data:r.data.map(function(e){return e.slice()}),index:0})))}if(t??={data:[],index:0},n===null&&(n=rs(),K.updateQueue=n),n.memoCache=t,n=t.data[t.index],n===void 0)for(n=t.data[t.index]=Array(e),r=0;r<e;r++)n[r]=be;return t.index++,n}function ss(e,t){return typeof t==`function`?t(e):t}function cs(e){return ls(ns(),q,e)}function ls(e,t,n){var r=e.queue;if(r===null)throw Error(i(311));r.lastRenderedReducer=n;var a=e.baseQueue,o=r.pending;if(o!==null){if(a!==null){var s=a.next;a.next=o.next,o.next=s}t.baseQueue=a=o,r.pending=null}if(o=e.baseState,a===null)e.memoizedState=o;else{t=a.next;var c=s=null,l=null,u=t,d=!1;do{var f=u.lane&-536870913;if(f===u.lane?(Lo&f)===f:(Z&f)===f){var p=u.revertLane;if(p===0)l!==null&&(l=l.next={lane:0,revertLane:0,gesture:null,action:u.action,hasEagerState:u.hasEagerState,eagerState:u.eagerState,next:null}),f===Pa&&(d=!0);else if((Lo&p)===p){u=u.next,p===Pa&&(d=!0);continue}else f={lane:0,revertLane:u.revertLane,gesture:null,action:u.action,hasEagerState:u.hasEagerState,eagerState:u.eagerState,next:null},l===null?(c=l=f,s=o):l=l.next=f,K.lanes|=p,ad|=p;f=u.action,Vo&&n(o,f),o=u.hasEagerState?u.eagerState:n(o,f)}else p={lane:f,revertLane:u.revertLane,gesture:u.gesture,action:u.action,hasEagerState:u.hasEagerState,eagerState:u.eagerState,next:null},l===null?(c=l=p,s=o):l=l.next=p,K.lanes|=f,ad|=f;u=u.next}while(u!==null&&u!==t);if(l===null?s=o:l.next=c,!Yr(o,e.memoizedState)&&(kc=!0,d&&(n=Fa,n!==null)))throw n;e.memoizedState=o,e.baseState=s,e.baseQueue=l,r.lastRenderedState=o}return a===null&&(r.lanes=0),[e.memoizedState,r.dispatch]}function us(e){var t=ns(),n=t.queue;if(n===null)throw Error(i(311));n.lastRenderedReducer=e;var r=n.dispatch,a=n.pending,o=t.memoizedState;if(a!==null){n.pending=null;var s=a=a.next;do o=e(o,s.action),s=s.next;while(s!==a);Yr(o,t.memoizedState)||(kc=!0),t.memoizedState=o,t.baseQueue===null&&(t.baseState=o),n.lastRenderedState=o}return[o,r]}function ds(e,t,n){var r=K,a=ns(),o=G;if(o){if(n===void 0)throw Error(i(407));n=n()}else n=t();var s=!Yr((q||a).memoizedState,n);if(s&&(a.memoizedState=n,kc=!0),a=a.queue,Is(ms.bind(null,r,a,e),[e]),e=a.getSnapshot!==t||s||Ro!==null&&!!(Ro.memoizedState.tag&1),js(e?9:8,{destroy:void 0},ps.bind(null,r,a,n,t),null),e){if(r.flags|=2048,Zu===null)throw Error(i(349));o||Lo&127||fs(r,t,n)}return n}function fs(e,t,n){e.flags|=16384,e={getSnapshot:t,value:n},t=K.updateQueue,t===null?(t=rs(),K.updateQueue=t,t.stores=[e]):(n=t.stores,n===null?t.stores=[e]:n.push(e))}function ps(e,t,n,r){t.value=n,t.getSnapshot=r,hs(t)&&gs(e)}function ms(e,t,n){return n(function(){hs(t)&&gs(e)})}function hs(e){var t=e.getSnapshot;e=e.value;try{var n=t();return!Yr(e,n)}catch{return!0}}function gs(e){var t=Si(e,2);t!==null&&Nd(t,e,2)}function _s(e){var t=ts();if(typeof e==`function`){var n=e;if(e=n(),Vo){lt(!0);try{n()}finally{lt(!1)}}}return t.memoizedState=t.baseState=e,t.queue={pending:null,lanes:0,dispatch:null,lastRenderedReducer:ss,lastRenderedState:e},t}function vs(e,t,n,r){return e.baseState=n,ls(e,q,typeof r==`function`?r:ss)}function ys(e,t,n,r,a){if(sc(e))throw Error(i(485));if(e=t.action,e!==null){var o={payload:a,action:e,next:null,isTransition:!0,status:`pending`,value:null,reason:null,listeners:[],then:function(e){o.listeners.push(e)}};C.T===null?o.isTransition=!1:n(!0),r(o),n=t.pending,n===null?(o.next=t.pending=o,bs(t,o)):(o.next=n.next,t.pending=n.next=o)}}function bs(e,t){var n=t.action,r=t.payload,i=e.state;if(t.isTransition){var a=C.T,o={};o.types=a===null?null:a.types,C.T=o;try{var s=n(i,r),c=C.S;c!==null&&c(o,s),xs(e,t,s)}catch(n){Cs(e,t,n)}finally{a!==null&&o.types!==null&&(a.types=o.types),C.T=a}}else try{a=n(i,r),xs(e,t,a)}catch(n){Cs(e,t,n)}}function xs(e,t,n){typeof n==`object`&&n&&typeof n.then==`function`?n.then(function(n){Ss(e,t,n)},function(n){return Cs(e,t,n)}):Ss(e,t,n)}function Ss(e,t,n){t.status=`fulfilled`,t.value=n,ws(t),e.state=n,t=e.pending,t!==null&&(n=t.next,n===t?e.pending=null:(n=n.next,t.next=n,bs(e,n)))}function Cs(e,t,n){var r=e.pending;if(e.pending=null,r!==null){r=r.next;do t.status=`rejected`,t.reason=n,ws(t),t=t.next;while(t!==r)}e.action=null}function ws(e){e=e.listeners;for(var t=0;t<e.length;t++)(0,e[t])()}function Ts(e,t){return t}function Es(e,t){if(G){var n=Zu.formState;if(n!==null){a:{var r=K;if(G){if($i){b:{for(var i=$i,a=ta;i.nodeType!==8;)if(!a||(i=lm(i.nextSibling),i===null)){i=null;break b}a=i.data,i=a===`F!`||a===`F`?i:null}if(i){$i=lm(i.nextSibling),r=i.data===`F!`;break a}}ra(r)}r=!1}r&&(t=n[0])}}return n=ts(),n.memoizedState=n.baseState=t,r={pending:null,lanes:0,dispatch:null,lastRenderedReducer:Ts,lastRenderedState:t},n.queue=r,n=ic.bind(null,K,r),r.dispatch=n,r=_s(!1),a=oc.bind(null,K,!1,r.queue),r=ts(),i={state:t,dispatch:null,action:e,pending:null},r.queue=i,n=ys.bind(null,K,i,a,n),i.dispatch=n,r.memoizedState=e,[t,n,!1]}function Ds(e){return Os(ns(),q,e)}function Os(e,t,n){if(t=ls(e,t,Ts)[0],e=cs(ss)[0],typeof t==`object`&&t&&typeof t.then==`function`)try{var r=is(t)}catch(e){throw e===Wa?Ka:e}else r=t;t=ns();var i=t.queue,a=i.dispatch;return n!==t.memoizedState&&(K.flags|=2048,js(9,{destroy:void 0},ks.bind(null,i,n),null)),[r,a,e]}function ks(e,t){e.action=t}function As(e){var t=ns(),n=q;if(n!==null)return Os(t,n,e);ns(),t=t.memoizedState,n=ns();var r=n.queue.dispatch;return n.memoizedState=e,[t,r,!1]}function js(e,t,n,r){return e={tag:e,create:n,deps:r,inst:t,next:null},t=K.updateQueue,t===null&&(t=rs(),K.updateQueue=t),n=t.lastEffect,n===null?t.lastEffect=e.next=e:(r=n.next,n.next=e,e.next=r,t.lastEffect=e),e}function Ms(){return ns().memoizedState}function Ns(e,t,n,r){var i=ts();K.flags|=e,i.memoizedState=js(1|t,{destroy:void 0},n,r===void 0?null:r)}function Ps(e,t,n,r){var i=ns();r=r===void 0?null:r;var a=i.memoizedState.inst;q!==null&&r!==null&&qo(r,q.memoizedState.deps)?i.memoizedState=js(t,a,n,r):(K.flags|=e,i.memoizedState=js(1|t,a,n,r))}function Fs(e,t){Ns(8390656,8,e,t)}function Is(e,t){Ps(2048,8,e,t)}function Ls(e){K.flags|=4;var t=K.updateQueue;if(t===null)t=rs(),K.updateQueue=t,t.events=[e];else{var n=t.events;n===null?t.events=[e]:n.push(e)}}function Rs(e){var t=ns().memoizedState;return Ls({ref:t,nextImpl:e}),function(){if(Y&2)throw Error(i(440));return t.impl.apply(void 0,arguments)}}function zs(e,t){return Ps(4,2,e,t)}function Bs(e,t){return Ps(4,4,e,t)}function Vs(e,t){if(typeof t==`function`){e=e();var n=t(e);return function(){typeof n==`function`?n():t(null)}}if(t!=null)return e=e(),t.current=e,function(){t.current=null}}function Hs(e,t,n){n=n==null?null:n.concat([e]),Ps(4,4,Vs.bind(null,t,e),n)}function Us(){}function Ws(e,t){var n=ns();t=t===void 0?null:t;var r=n.memoizedState;return t!==null&&qo(t,r[1])?r[0]:(n.memoizedState=[e,t],e)}function Gs(e,t){var n=ns();t=t===void 0?null:t;var r=n.memoizedState;if(t!==null&&qo(t,r[1]))return r[0];if(r=e(),Vo){lt(!0);try{e()}finally{lt(!1)}}return n.memoizedState=[r,t],r}function Ks(e,t,n){return n===void 0||Lo&1073741824&&!(Z&261930)?e.memoizedState=t:(e.memoizedState=n,e=jd(),K.lanes|=e,ad|=e,n)}function qs(e,t,n,r){return Yr(n,t)?n:xo.current===null?!(Lo&106)||Lo&1073741824&&!(Z&261930)?(kc=!0,e.memoizedState=n):(e=jd(),K.lanes|=e,ad|=e,t):(e=Ks(e,n,r),Yr(e,t)||(kc=!0),e)}function Js(e,t,n,r,i){var a=w.p;w.p=a!==0&&8>a?a:8;var o=C.T,s={};s.types=o===null?null:o.types,C.T=s,oc(e,!1,t,n);try{var c=i(),l=C.S;l!==null&&l(s,c),typeof c==`object`&&c&&typeof c.then==`function`?ac(e,t,Ra(c,r),Ad(e)):ac(e,t,r,Ad(e))}catch(n){ac(e,t,{then:function(){},status:`rejected`,reason:n},Ad())}finally{w.p=a,o!==null&&s.types!==null&&(o.types=s.types),C.T=o}}function Ys(){}function Xs(e,t,n,r){if(e.tag!==5)throw Error(i(476));var a=Zs(e).queue;Js(e,a,t,Oe,n===null?Ys:function(){return Qs(e),n(r)})}function Zs(e){var t=e.memoizedState;if(t!==null)return t;t={memoizedState:Oe,baseState:Oe,baseQueue:null,queue:{pending:null,lanes:0,dispatch:null,lastRenderedReducer:ss,lastRenderedState:Oe},next:null};var n={};return t.next={memoizedState:n,baseState:n,baseQueue:null,queue:{pending:null,lanes:0,dispatch:null,lastRenderedReducer:ss,lastRenderedState:n},next:null},e.memoizedState=t,e=e.alternate,e!==null&&(e.memoizedState=t),t}function Qs(e){var t=Zs(e);t.next===null&&(t=e.alternate.memoizedState),ac(e,t.next.queue,{},Ad())}function $s(){return ba(sh)}function ec(){return ns().memoizedState}function tc(){return ns().memoizedState}function nc(e){for(var t=e.return;t!==null;){switch(t.tag){case 24:case 3:var n=Ad();e=fo(n);var r=po(t,e,n);r!==null&&(Nd(r,t,n),mo(r,t,n)),t={cache:Da()},e.payload=t;return}t=t.return}}function rc(e,t,n){var r=Ad();n={lane:r,revertLane:0,gesture:null,action:n,hasEagerState:!1,eagerState:null,next:null},sc(e)?cc(t,n):(n=xi(e,t,n,r),n!==null&&(Nd(n,e,r),lc(n,t,r)))}function ic(e,t,n){ac(e,t,n,Ad())}function ac(e,t,n,r){var i={lane:r,revertLane:0,gesture:null,action:n,hasEagerState:!1,eagerState:null,next:null};if(sc(e))cc(t,i);else{var a=e.alternate;if(e.lanes===0&&(a===null||a.lanes===0)&&(a=t.lastRenderedReducer,a!==null))try{var o=t.lastRenderedState,s=a(o,n);if(i.hasEagerState=!0,i.eagerState=s,Yr(s,o))return bi(e,t,i,0),Zu===null&&yi(),!1}catch{}if(n=xi(e,t,i,r),n!==null)return Nd(n,e,r),lc(n,t,r),!0}return!1}function oc(e,t,n,r){if(r={lane:2,revertLane:Pf(),gesture:null,action:r,hasEagerState:!1,eagerState:null,next:null},sc(e)){if(t)throw Error(i(479))}else t=xi(e,n,r,2),t!==null&&Nd(t,e,2)}function sc(e){var t=e.alternate;return e===K||t!==null&&t===K}function cc(e,t){Bo=zo=!0;var n=e.pending;n===null?t.next=t:(t.next=n.next,n.next=t),e.pending=t}function lc(e,t,n){if(n&4194048){var r=t.lanes;r&=e.pendingLanes,n|=r,t.lanes=n,wt(e,n)}}var uc={readContext:ba,use:as,useCallback:Ko,useContext:Ko,useEffect:Ko,useImperativeHandle:Ko,useLayoutEffect:Ko,useInsertionEffect:Ko,useMemo:Ko,useReducer:Ko,useRef:Ko,useState:Ko,useDebugValue:Ko,useDeferredValue:Ko,useTransition:Ko,useSyncExternalStore:Ko,useId:Ko,useHostTransitionStatus:Ko,useFormState:Ko,useActionState:Ko,useOptimistic:Ko,useMemoCache:Ko,useCacheRefresh:Ko,useEffectEvent:Ko},dc={readContext:ba,use:as,useCallback:function(e,t){return ts().memoizedState=[e,t===void 0?null:t],e},useContext:ba,useEffect:Fs,useImperativeHandle:function(e,t,n){n=n==null?null:n.concat([e]),Ns(4194308,4,Vs.bind(null,t,e),n)},useLayoutEffect:function(e,t){return Ns(4194308,4,e,t)},useInsertionEffect:function(e,t){Ns(4,2,e,t)},useMemo:function(e,t){var n=ts();t=t===void 0?null:t;var r=e();if(Vo){lt(!0);try{e()}finally{lt(!1)}}return n.memoizedState=[r,t],r},useReducer:function(e,t,n){var r=ts();if(n!==void 0){var i=n(t);if(Vo){lt(!0);try{n(t)}finally{lt(!1)}}}else i=t;return r.memoizedState=r.baseState=i,e={pending:null,lanes:0,dispatch:null,lastRenderedReducer:e,lastRenderedState:i},r.queue=e,e=e.dispatch=rc.bind(null,K,e),[r.memoizedState,e]},useRef:function(e){var t=ts();return e={current:e},t.memoizedState=e},useState:function(e){e=_s(e);var t=e.queue,n=ic.bind(null,K,t);return t.dispatch=n,[e.memoizedState,n]},useDebugValue:Us,useDeferredValue:function(e,t){return Ks(ts(),e,t)},useTransition:function(){var e=_s(!1);return e=Js.bind(null,K,e.queue,!0,!1),ts().memoizedState=e,[!1,e]},useSyncExternalStore:function(e,t,n){var r=K,a=ts();if(G){if(n===void 0)throw Error(i(407));n=n()}else{if(n=t(),Zu===null)throw Error(i(349));Z&127||fs(r,t,n)}a.memoizedState=n;var o={value:n,getSnapshot:t};return a.queue=o,Fs(ms.bind(null,r,o,e),[e]),r.flags|=2048,js(9,{destroy:void 0},ps.bind(null,r,o,n,t),null),n},useId:function(){var e=ts(),t=Zu.identifierPrefix;if(G){var n=Ki,r=Gi;n=(r&~(1<<32-ut(r)-1)).toString(32)+n,t=`_`+t+`R_`+n,n=Ho++,0<n&&(t+=`H`+n.toString(32)),t+=`_`}else n=Go++,t=`_`+t+`r_`+n.toString(32)+`_`;return e.memoizedState=t},useHostTransitionStatus:$s,useFormState:Es,useActionState:Es,useOptimistic:function(e){var t=ts();t.memoizedState=t.baseState=e;var n={pending:null,lanes:0,dispatch:null,lastRenderedReducer:null,lastRenderedState:null};return t.queue=n,t=oc.bind(null,K,!0,n),n.dispatch=t,[e,t]},useMemoCache:os,useCacheRefresh:function(){return ts().memoizedState=nc.bind(null,K)},useEffectEvent:function(e){var t=ts(),n={impl:e};return t.memoizedState=n,function(){if(Y&2)throw Error(i(440));return n.impl.apply(void 0,arguments)}}},fc={readContext:ba,use:as,useCallback:Ws,useContext:ba,useEffect:Is,useImperativeHandle:Hs,useInsertionEffect:zs,useLayoutEffect:Bs,useMemo:Gs,useReducer:cs,useRef:Ms,useState:function(){return cs(ss)},useDebugValue:Us,useDeferredValue:function(e,t){return qs(ns(),q.memoizedState,e,t)},useTransition:function(){var e=cs(ss)[0],t=ns().memoizedState;return[typeof e==`boolean`?e:is(e),t]},useSyncExternalStore:ds,useId:ec,useHostTransitionStatus:$s,useFormState:Ds,useActionState:Ds,useOptimistic:function(e,t){return vs(ns(),q,e,t)},useMemoCache:os,useCacheRefresh:tc,useEffectEvent:Rs},pc={readContext:ba,use:as,useCallback:Ws,useContext:ba,useEffect:Is,useImperativeHandle:Hs,useInsertionEffect:zs,useLayoutEffect:Bs,useMemo:Gs,useReducer:us,useRef:Ms,useState:function(){return us(ss)},useDebugValue:Us,useDeferredValue:function(e,t){var n=ns();return q===null?Ks(n,e,t):qs(n,q.memoizedState,e,t)},useTransition:function(){var e=us(ss)[0],t=ns().memoizedState;return[typeof e==`boolean`?e:is(e),t]},useSyncExternalStore:ds,useId:ec,useHostTransitionStatus:$s,useFormState:As,useActionState:As,useOptimistic:function(e,t){var n=ns();return q===null?(n.baseState=e,[e,n.queue.dispatch]):vs(n,q,e,t)},useMemoCache:os,useCacheRefresh:tc,useEffectEvent:Rs};function mc(e,t,n,r){t=e.memoizedState,n=n(r,t),n=n==null?t:S({},t,n),e.memoizedState=n,e.lanes===0&&(e.updateQueue.baseState=n)}var hc={enqueueSetState:function(e,t,n){e=e._reactInternals;var r=Ad(),i=fo(r);i.payload=t,n!=null&&(i.callback=n),t=po(e,i,r),t!==null&&(Nd(t,e,r),mo(t,e,r))},enqueueReplaceState:function(e,t,n){e=e._reactInternals;var r=Ad(),i=fo(r);i.tag=1,i.payload=t,n!=null&&(i.callback=n),t=po(e,i,r),t!==null&&(Nd(t,e,r),mo(t,e,r))},enqueueForceUpdate:function(e,t){e=e._reactInternals;var n=Ad(),r=fo(n);r.tag=2,t!=null&&(r.callback=t),t=po(e,r,n),t!==null&&(Nd(t,e,n),mo(t,e,n))}};function gc(e,t,n,r,i,a,o){return e=e.stateNode,typeof e.shouldComponentUpdate==`function`?e.shouldComponentUpdate(r,a,o):t.prototype&&t.prototype.isPureReactComponent?!Xr(n,r)||!Xr(i,a):!0}function _c(e,t,n,r){e=t.state,typeof t.componentWillReceiveProps==`function`&&t.componentWillReceiveProps(n,r),typeof t.UNSAFE_componentWillReceiveProps==`function`&&t.UNSAFE_componentWillReceiveProps(n,r),t.state!==e&&hc.enqueueReplaceState(t,t.state,null)}function vc(e,t){var n=t;if(`ref`in t)for(var r in n={},t)r!==`ref`&&(n[r]=t[r]);if(e=e.defaultProps)for(var i in n===t&&(n=S({},n)),e)n[i]===void 0&&(n[i]=e[i]);return n}function yc(e){hi(e)}function bc(e){console.error(e)}function xc(e){hi(e)}function Sc(e,t){try{var n=e.onUncaughtError;n(t.value,{componentStack:t.stack})}catch(e){setTimeout(function(){throw e})}}function Cc(e,t,n){try{var r=e.onCaughtError;r(n.value,{componentStack:n.stack,errorBoundary:t.tag===1?t.stateNode:null})}catch(e){setTimeout(function(){throw e})}}function wc(e,t,n){return n=fo(n),n.tag=3,n.payload={element:null},n.callback=function(){Sc(e,t)},n}function Tc(e){return e=fo(e),e.tag=3,e}function Ec(e,t,n,r){var i=n.type.getDerivedStateFromError;if(typeof i==`function`){var a=r.value;e.payload=function(){return i(a)},e.callback=function(){Cc(t,n,r)}}var o=n.stateNode;o!==null&&typeof o.componentDidCatch==`function`&&(e.callback=function(){Cc(t,n,r),typeof i!=`function`&&(_d===null?_d=new Set([this]):_d.add(this));var e=r.stack;this.componentDidCatch(r.value,{componentStack:e===null?``:e})})}function Dc(e,t,n,r,a){if(n.flags|=32768,typeof r==`object`&&r&&typeof r.then==`function`){if(t=n.alternate,t!==null&&_a(t,n,a,!0),n=Eo.current,n!==null){switch(n.tag){case 31:case 13:case 19:return Do===null?Gd():n.alternate===null&&id===0&&(id=3),n.flags&=-257,n.flags|=65536,n.lanes=a,r===qa?n.flags|=16384:(t=n.updateQueue,t===null?n.updateQueue=new Set([r]):t.add(r),mf(e,r,a)),!1;case 22:return n.flags|=65536,r===qa?n.flags|=16384:(t=n.updateQueue,t===null?(t={transitions:null,markerInstances:null,retryQueue:new Set([r])},n.updateQueue=t):(n=t.retryQueue,n===null?t.retryQueue=new Set([r]):n.add(r)),mf(e,r,a)),!1}throw Error(i(435,n.tag))}return mf(e,r,a),Gd(),!1}if(G)return t=Eo.current,t===null?(r!==na&&(t=Error(i(423),{cause:r}),la(Li(t,n))),e=e.current.alternate,e.flags|=65536,a&=-a,e.lanes|=a,r=Li(r,n),a=wc(e.stateNode,r,a),ho(e,a),id!==4&&(id=2)):(!(t.flags&65536)&&(t.flags|=256),t.flags|=65536,t.lanes=a,r!==na&&(e=Error(i(422),{cause:r}),la(Li(e,n)))),!1;var o=Error(i(520),{cause:r});if(o=Li(o,n),ud===null?ud=[o]:ud.push(o),id!==4&&(id=2),t===null)return!0;r=Li(r,n),n=t;do{switch(n.tag){case 3:return n.flags|=65536,e=a&-a,n.lanes|=e,e=wc(n.stateNode,r,e),ho(n,e),!1;case 1:if(t=n.type,o=n.stateNode,!(n.flags&128)&&(typeof t.getDerivedStateFromError==`function`||o!==null&&typeof o.componentDidCatch==`function`&&(_d===null||!_d.has(o))))return n.flags|=65536,a&=-a,n.lanes|=a,a=Tc(a),Ec(a,e,n,r),ho(n,a),!1;break;case 22:if(n.memoizedState!==null)return n.flags|=65536,!1}n=n.return}while(n!==null);return!1}var Oc=Error(i(461)),kc=!1;function Ac(e,t,n,r){t.child=e===null?so(t,null,n,r):oo(t,e.child,n,r)}function jc(e,t,n,r,i){n=n.render;var a=t.ref;if(`ref`in r){var o={};for(var s in r)s!==`ref`&&(o[s]=r[s])}else o=r;return ya(t),r=Jo(e,t,n,o,a,i),s=Qo(),e!==null&&!kc?($o(e,t,i),al(e,t,i)):(G&&s&&Yi(t),t.flags|=1,Ac(e,t,r,i),t.child)}function Mc(e,t,n,r,i){if(e===null){var a=n.type;return typeof a==`function`&&!Oi(a)&&a.defaultProps===void 0&&n.compare===null?(t.tag=15,t.type=a,Nc(e,t,a,r,i)):(e=ji(n.type,null,r,t,t.mode,i),e.ref=t.ref,e.return=t,t.child=e)}if(a=e.child,!ol(e,i)){var o=a.memoizedProps;if(n=n.compare,n=n===null?Xr:n,n(o,r)&&e.ref===t.ref)return al(e,t,i)}return t.flags|=1,e=ki(a,r),e.ref=t.ref,e.return=t,t.child=e}function Nc(e,t,n,r,i){if(e!==null){var a=e.memoizedProps;if(Xr(a,r)&&e.ref===t.ref){if(kc=!1,t.pendingProps=r=a,ol(e,i))e.flags&131072&&(kc=!0);else return t.lanes=e.lanes,al(e,t,i)}}return Vc(e,t,n,r,i)}function Pc(e,t,n,r){var i=r.children,a=e===null?null:e.memoizedState;if(e===null&&t.stateNode===null&&(t.stateNode={_visibility:1,_pendingMarkers:null,_retryCache:null,_transitions:null}),r.mode===`hidden`){if(t.flags&128){if(a=a===null?n:a.baseLanes|n,e!==null){for(r=t.child=e.child,i=0;r!==null;)i=i|r.lanes|r.childLanes,r=r.sibling;r=i&~a}else r=0,t.child=null;return Ic(e,t,a,n,r)}if(n&536870912)t.memoizedState={baseLanes:0,cachePool:null},e!==null&&Ha(t,a===null?null:a.cachePool),a===null?wo():Co(t,a),Ao(t);else return r=t.lanes=536870912,Ic(e,t,a===null?n:a.baseLanes|n,n,r)}else a===null?(e!==null&&Ha(t,null),wo(),jo()):(Ha(t,a.cachePool),Co(t,a),jo(),t.memoizedState=null);return Ac(e,t,i,n),t.child}function Fc(e,t){return e!==null&&e.tag===22||t.stateNode!==null||(t.stateNode={_visibility:1,_pendingMarkers:null,_retryCache:null,_transitions:null}),t.sibling}function Ic(e,t,n,r,i){var a=Va();return a=a===null?null:{parent:Ea._currentValue,pool:a},t.memoizedState={baseLanes:n,cachePool:a},e!==null&&Ha(t,null),wo(),Ao(t),e!==null&&_a(e,t,r,!0),t.childLanes=i,null}function Lc(e,t){return t=Xc({mode:t.mode,children:t.children},e.mode),t.ref=e.ref,e.child=t,t.return=e,t}function Rc(e,t,n){return oo(t,e.child,null,n),e=Lc(t,t.pendingProps),e.flags|=2,Mo(t),t.memoizedState=null,e}function zc(e,t,n){var r=t.pendingProps,a=!!(t.flags&128);if(t.flags&=-129,e===null){if(G){if(r.mode===`hidden`)return e=Lc(t,r),t.lanes=536870912,e.memoizedState={baseLanes:0,cachePool:null},Fc(null,e);if(ko(t),(e=$i)?(e=am(e,ta),e=e!==null&&e.data===`&`?e:null,e!==null&&(t.memoizedState={dehydrated:e,treeContext:Wi===null?null:{id:Gi,overflow:Ki},retryLane:536870912,hydrationErrors:null},n=Pi(e),n.return=t,t.child=n,Qi=t,$i=null)):e=null,e===null)throw ra(t);return t.lanes=536870912,null}return Lc(t,r)}var o=e.memoizedState;if(o!==null){var s=o.dehydrated;if(ko(t),a){if(t.flags&256)t.flags&=-257,t=Rc(e,t,n);else if(t.memoizedState!==null)t.child=e.child,t.flags|=128,t=null;else throw Error(i(558))}else if(kc||_a(e,t,n,!1),a=(n&e.childLanes)!==0,kc||a){if(xo.current===null){if(r=Zu,r!==null&&(s=Tt(r,n),s!==0&&s!==o.retryLane))throw o.retryLane=s,Si(e,s),Nd(r,e,s),Oc;Gd()}t=Rc(e,t,n)}else e=o.treeContext,$i=lm(s.nextSibling),Qi=t,G=!0,ea=null,ta=!1,e!==null&&Zi(t,e),t=Lc(t,r),t.flags|=134221824;return t}return e=ki(e.child,{mode:r.mode,children:r.children}),e.ref=t.ref,t.child=e,e.return=t,e}function Bc(e,t){var n=t.ref;if(n===null)e!==null&&e.ref!==null&&(t.flags|=4194816);else{if(typeof n!=`function`&&typeof n!=`object`)throw Error(i(284));(e===null||e.ref!==n)&&(t.flags|=4194816)}}function Vc(e,t,n,r,i){return ya(t),n=Jo(e,t,n,r,void 0,i),r=Qo(),e!==null&&!kc?($o(e,t,i),al(e,t,i)):(G&&r&&Yi(t),t.flags|=1,Ac(e,t,n,i),t.child)}function Hc(e,t,n,r,i,a){return ya(t),t.updateQueue=null,n=Xo(t,r,n,i),Yo(e),r=Qo(),e!==null&&!kc?($o(e,t,a),al(e,t,a)):(G&&r&&Yi(t),t.flags|=1,Ac(e,t,n,a),t.child)}function Uc(e,t,n,r,i){if(ya(t),t.stateNode===null){var a=Ti,o=n.contextType;typeof o==`object`&&o&&(a=ba(o)),a=new n(r,a),t.memoizedState=a.state!==null&&a.state!==void 0?a.state:null,a.updater=hc,t.stateNode=a,a._reactInternals=t,a=t.stateNode,a.props=r,a.state=t.memoizedState,a.refs={},lo(t),o=n.contextType,a.context=typeof o==`object`&&o?ba(o):Ti,a.state=t.memoizedState,o=n.getDerivedStateFromProps,typeof o==`function`&&(mc(t,n,o,r),a.state=t.memoizedState),typeof n.getDerivedStateFromProps==`function`||typeof a.getSnapshotBeforeUpdate==`function`||typeof a.UNSAFE_componentWillMount!=`function`&&typeof a.componentWillMount!=`function`||(o=a.state,typeof a.componentWillMount==`function`&&a.componentWillMount(),typeof a.UNSAFE_componentWillMount==`function`&&a.UNSAFE_componentWillMount(),o!==a.state&&hc.enqueueReplaceState(a,a.state,null),vo(t,r,a,i),_o(),a.state=t.memoizedState),typeof a.componentDidMount==`function`&&(t.flags|=4194308),r=!0}else if(e===null){a=t.stateNode;var s=t.memoizedProps,c=vc(n,s);a.props=c;var l=a.context,u=n.contextType;o=Ti,typeof u==`object`&&u&&(o=ba(u));var d=n.getDerivedStateFromProps;u=typeof d==`function`||typeof a.getSnapshotBeforeUpdate==`function`,s=t.pendingProps!==s,u||typeof a.UNSAFE_componentWillReceiveProps!=`function`&&typeof a.componentWillReceiveProps!=`function`||(s||l!==o)&&_c(t,a,r,o),co=!1;var f=t.memoizedState;a.state=f,vo(t,r,a,i),_o(),l=t.memoizedState,s||f!==l||co?(typeof d==`function`&&(mc(t,n,d,r),l=t.memoizedState),(c=co||gc(t,n,c,r,f,l,o))?(u||typeof a.UNSAFE_componentWillMount!=`function`&&typeof a.componentWillMount!=`function`||(typeof a.componentWillMount==`function`&&a.componentWillMount(),typeof a.UNSAFE_componentWillMount==`function`&&a.UNSAFE_componentWillMount()),typeof a.componentDidMount==`function`&&(t.flags|=4194308)):(typeof a.componentDidMount==`function`&&(t.flags|=4194308),t.memoizedProps=r,t.memoizedState=l),a.props=r,a.state=l,a.context=o,r=c):(typeof a.componentDidMount==`function`&&(t.flags|=4194308),r=!1)}else{a=t.stateNode,uo(e,t),o=t.memoizedProps,u=vc(n,o),a.props=u,d=t.pendingProps,f=a.context,l=n.contextType,c=Ti,typeof l==`object`&&l&&(c=ba(l)),s=n.getDerivedStateFromProps,(l=typeof s==`function`||typeof a.getSnapshotBeforeUpdate==`function`)||typeof a.UNSAFE_componentWillReceiveProps!=`function`&&typeof a.componentWillReceiveProps!=`function`||(o!==d||f!==c)&&_c(t,a,r,c),co=!1,f=t.memoizedState,a.state=f,vo(t,r,a,i),_o();var p=t.memoizedState;o!==d||f!==p||co||e!==null&&e.dependencies!==null&&va(e.dependencies)?(typeof s==`function`&&(mc(t,n,s,r),p=t.memoizedState),(u=co||gc(t,n,u,r,f,p,c)||e!==null&&e.dependencies!==null&&va(e.dependencies))?(l||typeof a.UNSAFE_componentWillUpdate!=`function`&&typeof a.componentWillUpdate!=`function`||(typeof a.componentWillUpdate==`function`&&a.componentWillUpdate(r,p,c),typeof a.UNSAFE_componentWillUpdate==`function`&&a.UNSAFE_componentWillUpdate(r,p,c)),typeof a.componentDidUpdate==`function`&&(t.flags|=4),typeof a.getSnapshotBeforeUpdate==`function`&&(t.flags|=1024)):(typeof a.componentDidUpdate!=`function`||o===e.memoizedProps&&f===e.memoizedState||(t.flags|=4),typeof a.getSnapshotBeforeUpdate!=`function`||o===e.memoizedProps&&f===e.memoizedState||(t.flags|=1024),t.memoizedProps=r,t.memoizedState=p),a.props=r,a.state=p,a.context=c,r=u):(typeof a.componentDidUpdate!=`function`||o===e.memoizedProps&&f===e.memoizedState||(t.flags|=4),typeof a.getSnapshotBeforeUpdate!=`function`||o===e.memoizedProps&&f===e.memoizedState||(t.flags|=1024),r=!1)}return a=r,Bc(e,t),r=!!(t.flags&128),a||r?(a=t.stateNode,n=r&&typeof n.getDerivedStateFromError!=`function`?null:a.render(),t.flags|=1,e!==null&&r?(t.child=oo(t,e.child,null,i),t.child=oo(t,null,n,i)):Ac(e,t,n,i),t.memoizedState=a.state,e=t.child):e=al(e,t,i),e}function Wc(e,t,n,r){return sa(),t.flags|=256,Ac(e,t,n,r),t.child}var Gc={dehydrated:null,treeContext:null,retryLane:0,hydrationErrors:null};function Kc(e){return{baseLanes:e,cachePool:Ua()}}function qc(e,t,n){return e=e===null?0:e.childLanes&~n,t&&(e|=cd),e}function Jc(e,t,n){var r=t.pendingProps,i=!1,a=!!(t.flags&128),o;if((o=a)||(o=e!==null&&e.memoizedState===null?!1:!!(No.current&2)),o&&(i=!0,t.flags&=-129),o=!!(t.flags&32),t.flags&=-33,e===null){if(G){if(i?Oo(t):jo(),(e=$i)?(e=am(e,ta),e=e!==null&&e.data!==`&`?e:null,e!==null&&(t.memoizedState={dehydrated:e,treeContext:Wi===null?null:{id:Gi,overflow:Ki},retryLane:536870912,hydrationErrors:null},n=Pi(e),n.return=t,t.child=n,Qi=t,$i=null)):e=null,e===null)throw ra(t);return t.lanes=sm(e)?32:536870912,null}return a=r.children,r=r.fallback,i?(jo(),i=t.mode,a=Xc({mode:`hidden`,children:a},i),r=Mi(r,i,n,null),a.return=t,r.return=t,a.sibling=r,t.child=a,r=t.child,r.memoizedState=Kc(n),r.childLanes=qc(e,o,n),t.memoizedState=Gc,Fc(null,r)):(Oo(t),Yc(t,a))}var s=e.memoizedState;if(s!==null){var c=s.dehydrated;if(c!==null)return Qc(e,t,a,o,r,c,s,n)}return i?(jo(),i=r.fallback,a=t.mode,s=e.child,c=s.sibling,r=ki(s,{mode:`hidden`,children:r.children}),r.subtreeFlags=s.subtreeFlags&1206910976,c===null?(i=Mi(i,a,n,null),i.flags|=2):i=ki(c,i),i.return=t,r.return=t,r.sibling=i,t.child=r,Fc(null,r),r=t.child,i=e.child.memoizedState,i===null?i=Kc(n):(a=i.cachePool,a===null?a=Ua():(s=Ea._currentValue,a=a.parent===s?a:{parent:s,pool:s}),i={baseLanes:i.baseLanes|n,cachePool:a}),r.memoizedState=i,r.childLanes=qc(e,o,n),t.memoizedState=Gc,Fc(e.child,r)):(Oo(t),n=e.child,e=n.sibling,n=ki(n,{mode:`visible`,children:r.children}),n.return=t,n.sibling=null,e!==null&&(o=t.deletions,o===null?(t.deletions=[e],t.flags|=16):o.push(e)),t.child=n,t.memoizedState=null,n)}function Yc(e,t){return t=Xc({mode:`visible`,children:t},e.mode),t.return=e,e.child=t}function Xc(e,t){return e=Di(22,e,null,t),e.lanes=0,e}function Zc(e,t,n){return oo(t,e.child,null,n),e=Yc(t,t.pendingProps.children),e.flags|=2,t.memoizedState=null,e}function Qc(e,t,n,r,a,o,s,c){if(n)return t.flags&256?(Oo(t),t.flags&=-257,Zc(e,t,c)):t.memoizedState===null?(jo(),o=a.fallback,s=t.mode,a=Xc({mode:`visible`,children:a.children},s),o=Mi(o,s,c,null),o.flags|=2,a.return=t,o.return=t,a.sibling=o,t.child=a,oo(t,e.child,null,c),a=t.child,a.memoizedState=Kc(c),a.childLanes=qc(e,r,c),t.memoizedState=Gc,Fc(null,a)):(jo(),t.child=e.child,t.flags|=128,null);if(Oo(t),sm(o)){if(r=o.nextSibling&&o.nextSibling.dataset,r)var l=r.dgst;return r=l,r!==``&&(a=Error(i(419)),a.stack=``,a.digest=r,la({value:a,source:null,stack:null})),Zc(e,t,c)}if(kc||_a(e,t,c,!1),r=(c&e.childLanes)!==0,kc||r){if(xo.current!==null)return Zc(e,t,c);if(r=Zu,r!==null&&(a=Tt(r,c),a!==0&&a!==s.retryLane))throw s.retryLane=a,Si(e,a),Nd(r,e,a),Oc;return om(o)||Gd(),Zc(e,t,c)}return om(o)?(t.flags|=192,t.child=e.child,null):(e=s.treeContext,$i=lm(o.nextSibling),Qi=t,G=!0,ea=null,ta=!1,e!==null&&Zi(t,e),t=Yc(t,a.children),t.flags|=134221824,t)}function $c(e,t,n){e.lanes|=t;var r=e.alternate;r!==null&&(r.lanes|=t),ha(e.return,t,n)}function el(e){for(var t=null;e!==null;){var n=e.alternate;n!==null&&Io(n)===null&&(t=e),e=e.sibling}return t}function tl(e,t,n,r,i,a){var o=e.memoizedState;o===null?e.memoizedState={isBackwards:t,rendering:null,renderingStartTime:0,last:r,tail:n,tailMode:i,treeForkCount:a}:(o.isBackwards=t,o.rendering=null,o.renderingStartTime=0,o.last=r,o.tail=n,o.tailMode=i,o.treeForkCount=a)}function nl(e){var t=e.child;for(e.child=null;t!==null;){var n=t.sibling;t.sibling=e.child,e.child=t,t=n}}function rl(e,t,n){var r=t.pendingProps,i=r.revealOrder,a=r.tail;r=r.children;var o=No.current;if(t.flags&128)return Po(t,o),null;var s=!!(o&2);if(s?(o=o&1|2,t.flags|=128):o&=1,Po(t,o),i===`backwards`&&e!==null?(nl(e),Ac(e,t,r,n),nl(e)):Ac(e,t,r,n),r=G?Vi:0,!s&&e!==null&&e.flags&128)a:for(e=t.child;e!==null;){if(e.tag===13)e.memoizedState!==null&&$c(e,n,t);else if(e.tag===19)$c(e,n,t);else if(e.child!==null){e.child.return=e,e=e.child;continue}if(e===t)break a;for(;e.sibling===null;){if(e.return===null||e.return===t)break a;e=e.return}e.sibling.return=e.return,e=e.sibling}switch(i){case`backwards`:n=el(t.child),n===null?(i=t.child,t.child=null):(i=n.sibling,n.sibling=null,nl(t)),tl(t,!0,i,null,a,r);break;case`unstable_legacy-backwards`:for(n=null,i=t.child,t.child=null;i!==null;){if(e=i.alternate,e!==null&&Io(e)===null){t.child=i;break}e=i.sibling,i.sibling=n,n=i,i=e}tl(t,!0,n,null,a,r);break;case`together`:tl(t,!1,null,null,void 0,r);break;case`independent`:t.memoizedState=null;break;default:n=el(t.child),n===null?(i=t.child,t.child=null):(i=n.sibling,n.sibling=null),tl(t,!1,i,n,a,r)}return t.child}function il(e,t,n){var r=t.pendingProps;return pa(t,t.type,r.value),Ac(e,t,r.children,n),t.child}function al(e,t,n){if(e!==null&&(t.dependencies=e.dependencies),ad|=t.lanes,(n&t.childLanes)===0){if(e!==null){if(_a(e,t,n,!1),(n&t.childLanes)===0)return null}else return null}if(e!==null&&t.child!==e.child)throw Error(i(153));if(t.child!==null){for(e=t.child,n=ki(e,e.pendingProps),t.child=n,n.return=t;e.sibling!==null;)e=e.sibling,n=n.sibling=ki(e,e.pendingProps),n.return=t;n.sibling=null}return t.child}function ol(e,t){return(e.lanes&t)!==0||(e=e.dependencies,!!(e!==null&&va(e)))}function sl(e,t,n){switch(t.tag){case 3:Ie(t,t.stateNode.containerInfo),pa(t,Ea,e.memoizedState.cache),sa();break;case 27:case 5:Re(t);break;case 4:Ie(t,t.stateNode.containerInfo);break;case 10:pa(t,t.type,t.memoizedProps.value);break;case 31:if(t.memoizedState!==null)return t.flags|=128,ko(t),null;break;case 13:var r=t.memoizedState;if(r!==null){if(r.dehydrated!==null)return Oo(t),t.flags|=128,null;r=_a(e,t,n,!1);var i=t.child.childLanes;return r||(n&i)!==0?Jc(e,t,n):(Oo(t),e=al(e,t,n),e===null?null:e.sibling)}Oo(t);break;case 19:if(t.flags&128)return rl(e,t,n);if(i=!!(e.flags&128),r=(n&t.childLanes)!==0,r||=(_a(e,t,n,!1),(n&t.childLanes)!==0),i){if(r)return rl(e,t,n);t.flags|=128}if(i=t.memoizedState,i!==null&&(i.rendering=null,i.tail=null,i.lastEffect=null),Po(t,No.current),r)break;return null;case 22:return t.lanes=0,Pc(e,t,n,t.pendingProps);case 24:pa(t,Ea,e.memoizedState.cache)}return al(e,t,n)}function cl(e,t,n){if(e!==null){if(e.memoizedProps!==t.pendingProps)kc=!0;else{if(!ol(e,n)&&!(t.flags&128))return kc=!1,sl(e,t,n);kc=!!(e.flags&131072)}}else kc=!1,G&&t.flags&1048576&&Ji(t,Vi,t.index);switch(t.lanes=0,t.tag){case 16:a:{var r=t.pendingProps;if(e=Xa(t.elementType),t.type=e,typeof e==`function`)Oi(e)?(r=vc(e,r),t.tag=1,t=Uc(null,t,e,r,n)):(t.tag=0,t=Vc(null,t,e,r,n));else{if(e!=null){var a=e.$$typeof;if(a===pe){t.tag=11,t=jc(null,t,e,r,n);break a}if(a===ge){t.tag=14,t=Mc(null,t,e,r,n);break a}if(a===fe){t.tag=10,t.type=e,t=il(null,t,n);break a}}throw t=Ee(e)||e,Error(i(306,t,``))}}return t;case 0:return Vc(e,t,t.type,t.pendingProps,n);case 1:return r=t.type,a=vc(r,t.pendingProps),Uc(e,t,r,a,n);case 3:a:{if(Ie(t,t.stateNode.containerInfo),e===null)throw Error(i(387));r=t.pendingProps;var o=t.memoizedState;a=o.element,uo(e,t),vo(t,r,null,n);var s=t.memoizedState;if(r=s.cache,pa(t,Ea,r),r!==o.cache&&ga(t,[Ea],n,!0),_o(),r=s.element,o.isDehydrated){if(o={element:r,isDehydrated:!1,cache:s.cache},t.updateQueue.baseState=o,t.memoizedState=o,t.flags&256){t=Wc(e,t,r,n);break a}if(r!==a){a=Li(Error(i(424)),t),la(a),t=Wc(e,t,r,n);break a}switch(e=t.stateNode.containerInfo,e.nodeType){case 9:e=e.body;break;default:e=e.nodeName===`HTML`?e.ownerDocument.body:e}for($i=lm(e.firstChild),Qi=t,G=!0,ea=null,ta=!0,n=so(t,null,r,n),t.child=n;n;)n.flags=n.flags&-3|134221824,n=n.sibling}else{if(sa(),r===a){t=al(e,t,n);break a}Ac(e,t,r,n)}t=t.child}return t;case 26:return Bc(e,t),e===null?(n=Nm(t.type,null,t.pendingProps,null))?t.memoizedState=n:G||(t.stateNode=fp(t.type,t.pendingProps,Pe.current,t)):t.memoizedState=Nm(t.type,e.memoizedProps,t.pendingProps,e.memoizedState),null;case 27:return Re(t),e===null&&G&&(r=t.stateNode=hm(t.type,t.pendingProps,Pe.current),Qi=t,ta=!0,a=$i,Sp(t.type)?(um=a,$i=lm(r.firstChild)):$i=a),Ac(e,t,t.pendingProps.children,n),Bc(e,t),e===null&&(t.flags|=4194304),t.child;case 5:return e===null&&G&&((a=r=$i)&&(r=rm(r,t.type,t.pendingProps,ta),r===null?a=!1:(t.stateNode=r,Qi=t,$i=lm(r.firstChild),ta=!1,a=!0)),a||ra(t)),Re(t),a=t.type,o=t.pendingProps,s=e===null?null:e.memoizedProps,r=o.children,pp(a,o)?r=null:s!==null&&pp(a,s)&&(t.flags|=32),t.memoizedState!==null&&(a=Jo(e,t,Zo,null,null,n),sh._currentValue=a),Bc(e,t),Ac(e,t,r,n),t.child;case 6:return e===null&&G&&((e=n=$i)&&(n=im(n,t.pendingProps,ta),n===null?e=!1:(t.stateNode=n,Qi=t,$i=null,e=!0)),e||ra(t)),null;case 13:return Jc(e,t,n);case 4:return Ie(t,t.stateNode.containerInfo),r=t.pendingProps,e===null?t.child=oo(t,null,r,n):Ac(e,t,r,n),t.child;case 11:return jc(e,t,t.type,t.pendingProps,n);case 7:return r=t.pendingProps,Bc(e,t),Ac(e,t,r,n),t.child;case 8:return Ac(e,t,t.pendingProps.children,n),t.child;case 12:return Ac(e,t,t.pendingProps.children,n),t.child;case 10:return il(e,t,n);case 9:return a=t.type._context,r=t.pendingProps.children,ya(t),a=ba(a),r=r(a),t.flags|=1,Ac(e,t,r,n),t.child;case 14:return Mc(e,t,t.type,t.pendingProps,n);case 15:return Nc(e,t,t.type,t.pendingProps,n);case 19:return rl(e,t,n);case 31:return zc(e,t,n);case 22:return Pc(e,t,n,t.pendingProps);case 24:return ya(t),r=ba(Ea),e===null?(a=Va(),a===null&&(a=Zu,o=Da(),a.pooledCache=o,o.refCount++,o!==null&&(a.pooledCacheLanes|=n),a=o),t.memoizedState={parent:r,cache:a},lo(t),pa(t,Ea,a)):((e.lanes&n)!==0&&(uo(e,t),vo(t,null,null,n),_o()),a=e.memoizedState,o=t.memoizedState,a.parent===r?(r=o.cache,pa(t,Ea,r),r!==a.cache&&ga(t,[Ea],n,!0)):(a={parent:r,cache:r},t.memoizedState=a,t.lanes===0&&(t.memoizedState=t.updateQueue.baseState=a),pa(t,Ea,r))),Ac(e,t,t.pendingProps.children,n),t.child;case 30:return t.stateNode===null&&(t.stateNode={autoName:null,paired:null,clones:null,ref:null}),r=t.pendingProps,r.name!=null&&r.name!==`auto`?t.flags|=e===null?18882560:18874368:G&&Yi(t),e!==null&&e.memoizedProps.name!==r.name?t.flags|=4194816:Bc(e,t),Ac(e,t,r.children,n),t.child;case 29:throw t.pendingProps}throw Error(i(156,t.tag))}function ll(e){e.flags|=4}function ul(e,t,n,r,i){var a;if((a=!!(e.mode&32))&&(a=n===null?Jm(t,r):Jm(t,r)&&(r.src!==n.src||r.srcSet!==n.srcSet)),a){if(e.flags|=16777216,(i&335544128)===i){if(e.stateNode.complete)e.flags|=8192;else if(Hd())e.flags|=8192;else throw Za=qa,Ga}}else e.flags&=-16777217}function dl(e,t){if(t.type!==`stylesheet`||t.state.loading&4)e.flags&=-16777217;else if(e.flags|=16777216,!Ym(t)){if(Hd())e.flags|=8192;else throw Za=qa,Ga}}function fl(e,t){t!==null&&(e.flags|=4),e.flags&16384&&(t=e.tag===22?536870912:yt(),e.lanes|=t,ld|=t)}function pl(e,t){if(!G)switch(e.tailMode){case`visible`:break;case`collapsed`:for(var n=e.tail,r=null;n!==null;)n.alternate!==null&&(r=n),n=n.sibling;r===null?t||e.tail===null?e.tail=null:e.tail.sibling=null:r.sibling=null;break;default:for(t=e.tail,n=null;t!==null;)t.alternate!==null&&(n=t),t=t.sibling;n===null?e.tail=null:n.sibling=null}}function ml(e){var t=e.alternate!==null&&e.alternate.child===e.child,n=0,r=0;if(t)for(var i=e.child;i!==null;)n|=i.lanes|i.childLanes,r|=i.subtreeFlags&1206910976,r|=i.flags&1206910976,i.return=e,i=i.sibling;else for(i=e.child;i!==null;)n|=i.lanes|i.childLanes,r|=i.subtreeFlags,r|=i.flags,i.return=e,i=i.sibling;return e.subtreeFlags|=r,e.childLanes=n,t}function hl(e,t,n){var r=t.pendingProps;switch(Xi(t),t.tag){case 16:case 15:case 0:case 11:case 7:case 8:case 12:case 9:case 14:return ml(t),null;case 1:return ml(t),null;case 3:return n=t.stateNode,r=null,e!==null&&(r=e.memoizedState.cache),t.memoizedState.cache!==r&&(t.flags|=2048),ma(Ea),Le(),n.pendingContext&&(n.context=n.pendingContext,n.pendingContext=null),(e===null||e.child===null)&&(oa(t)?ll(t):e===null||e.memoizedState.isDehydrated&&!(t.flags&256)||(t.flags|=1024,ca())),ml(t),null;case 26:var a=t.type,o=t.memoizedState;return e===null?(ll(t),o===null?(ml(t),ul(t,a,null,r,n)):(ml(t),dl(t,o))):o?o===e.memoizedState?(ml(t),t.flags&=-16777217):(ll(t),ml(t),dl(t,o)):(e=e.memoizedProps,e!==r&&ll(t),ml(t),ul(t,a,e,r,n)),null;case 27:if(ze(t),n=Pe.current,a=t.type,e!==null&&t.stateNode!=null)e.memoizedProps!==r&&ll(t);else{if(!r){if(t.stateNode===null)throw Error(i(166));return ml(t),t.subtreeFlags&=-33554433,null}e=E.current,oa(t)?ia(t,e):(e=hm(a,r,n),t.stateNode=e,ll(t))}return ml(t),t.subtreeFlags&=-33554433,null;case 5:if(ze(t),a=t.type,e!==null&&t.stateNode!=null)e.memoizedProps!==r&&ll(t);else{if(!r){if(t.stateNode===null)throw Error(i(166));return ml(t),t.subtreeFlags&=-33554433,null}if(o=E.current,oa(t))ia(t,o);else{var s=lp(Pe.current);switch(o){case 1:o=s.createElementNS(`http://www.w3.org/2000/svg`,a);break;case 2:o=s.createElementNS(`http://www.w3.org/1998/Math/MathML`,a);break;default:switch(a){case`svg`:o=s.createElementNS(`http://www.w3.org/2000/svg`,a);break;case`math`:o=s.createElementNS(`http://www.w3.org/1998/Math/MathML`,a);break;case`script`:o=s.createElement(`div`),o.innerHTML=`<script><\/script>`,o=o.removeChild(o.firstChild);break;case`select`:o=typeof r.is==`string`?s.createElement(`select`,{is:r.is}):s.createElement(`select`),r.multiple?o.multiple=!0:r.size&&(o.size=r.size);break;default:o=typeof r.is==`string`?s.createElement(a,{is:r.is}):s.createElement(a)}}o[jt]=t,o[Mt]=r;a:for(s=t.child;s!==null;){if(s.tag===5||s.tag===6)o.appendChild(s.stateNode);else if(s.tag!==4&&s.tag!==27&&s.child!==null){s.child.return=s,s=s.child;continue}if(s===t)break a;for(;s.sibling===null;){if(s.return===null||s.return===t)break a;s=s.return}s.sibling.return=s.return,s=s.sibling}t.stateNode=o;a:switch(np(o,a,r),a){case`button`:case`input`:case`select`:case`textarea`:r=!!r.autoFocus;break a;case`img`:r=!0;break a;default:r=!1}r&&ll(t)}}return ml(t),t.subtreeFlags&=-33554433,ul(t,t.type,e===null?null:e.memoizedProps,t.pendingProps,n),null;case 6:if(e&&t.stateNode!=null)e.memoizedProps!==r&&ll(t);else{if(typeof r!=`string`&&t.stateNode===null)throw Error(i(166));if(e=Pe.current,oa(t)){if(e=t.stateNode,n=t.memoizedProps,r=null,a=Qi,a!==null)switch(a.tag){case 27:case 5:r=a.memoizedProps}e[jt]=t,e=!!(e.nodeValue===n||r!==null&&!0===r.suppressHydrationWarning||ep(e.nodeValue,n)),e||ra(t,!0)}else e=lp(e).createTextNode(r),e[jt]=t,t.stateNode=e}return ml(t),null;case 31:if(n=t.memoizedState,e===null||e.memoizedState!==null){if(r=oa(t),n!==null){if(e===null){if(!r)throw Error(i(318));if(e=t.memoizedState,e=e===null?null:e.dehydrated,!e)throw Error(i(557));e[jt]=t}else sa(),!(t.flags&128)&&(t.memoizedState=null),t.flags|=4;ml(t),e=!1}else n=ca(),e!==null&&e.memoizedState!==null&&(e.memoizedState.hydrationErrors=n),e=!0;if(!e)return t.flags&256?(Mo(t),t):(Mo(t),null);if(t.flags&128)throw Error(i(558))}return ml(t),null;case 13:if(r=t.memoizedState,e===null||e.memoizedState!==null&&e.memoizedState.dehydrated!==null){if(a=oa(t),r!==null&&r.dehydrated!==null){if(e===null){if(!a)throw Error(i(318));if(a=t.memoizedState,a=a===null?null:a.dehydrated,!a)throw Error(i(317));a[jt]=t}else sa(),!(t.flags&128)&&(t.memoizedState=null),t.flags|=4;ml(t),a=!1}else a=ca(),e!==null&&e.memoizedState!==null&&(e.memoizedState.hydrationErrors=a),a=!0;if(!a)return t.flags&256?(Mo(t),t):(Mo(t),null)}return Mo(t),t.flags&128?(t.lanes=n,t):(n=r!==null,e=e!==null&&e.memoizedState!==null,n&&(r=t.child,a=null,r.alternate!==null&&r.alternate.memoizedState!==null&&r.alternate.memoizedState.cachePool!==null&&(a=r.alternate.memoizedState.cachePool.pool),o=null,r.memoizedState!==null&&r.memoizedState.cachePool!==null&&(o=r.memoizedState.cachePool.pool),o!==a&&(r.flags|=2048)),n!==e&&n&&(t.child.flags|=8192),fl(t,t.updateQueue),ml(t),null);case 4:return Le(),e===null&&Wf(t.stateNode.containerInfo),t.flags|=67108864,ml(t),null;case 10:return ma(t.type),ml(t),null;case 19:if(Fo(t),r=t.memoizedState,r===null)return ml(t),null;if(a=!!(t.flags&128),o=r.rendering,o===null){if(a)pl(r,!1);else{if(id!==0||e!==null&&e.flags&128)for(e=t.child;e!==null;){if(o=Io(e),o!==null){for(t.flags|=128,pl(r,!1),e=o.updateQueue,t.updateQueue=e,fl(t,e),t.subtreeFlags=0,e=n,n=t.child;n!==null;)Ai(n,e),n=n.sibling;return Po(t,No.current&1|2),G&&qi(t,r.treeForkCount),t.child}e=e.sibling}r.tail!==null&&Qe()>hd&&(t.flags|=128,a=!0,pl(r,!1),t.lanes=4194304)}}else{if(!a){if(e=Io(o),e!==null){if(t.flags|=128,a=!0,e=e.updateQueue,t.updateQueue=e,fl(t,e),pl(r,!0),r.tail===null&&r.tailMode!==`collapsed`&&r.tailMode!==`visible`&&!o.alternate&&!G)return ml(t),null}else 2*Qe()-r.renderingStartTime>hd&&n!==536870912&&(t.flags|=128,a=!0,pl(r,!1),t.lanes=4194304)}r.isBackwards?(o.sibling=t.child,t.child=o):(e=r.last,e===null?t.child=o:e.sibling=o,r.last=o)}if(r.tail!==null){e=r.tail;a:{for(n=e;n!==null;){if(n.alternate!==null){n=!1;break a}n=n.sibling}n=!0}return r.rendering=e,r.tail=e.sibling,r.renderingStartTime=Qe(),e.sibling=null,o=No.current,o=a?o&1|2:o&1,r.tailMode===`visible`||r.tailMode===`collapsed`||!n||G?Po(t,o):(n=o,T(Eo,t),T(No,n),Do===null&&(Do=t)),G&&qi(t,r.treeForkCount),e}return ml(t),null;case 22:case 23:return Mo(t),To(),r=t.memoizedState!==null,e===null?r&&(t.flags|=8192):e.memoizedState!==null!==r&&(t.flags|=8192),r?n&536870912&&!(t.flags&128)&&(ml(t),t.subtreeFlags&6&&(t.flags|=8192)):ml(t),n=t.updateQueue,n!==null&&fl(t,n.retryQueue),n=null,e!==null&&e.memoizedState!==null&&e.memoizedState.cachePool!==null&&(n=e.memoizedState.cachePool.pool),r=null,t.memoizedState!==null&&t.memoizedState.cachePool!==null&&(r=t.memoizedState.cachePool.pool),r!==n&&(t.flags|=2048),e!==null&&Me(Ba),null;case 24:return n=null,e!==null&&(n=e.memoizedState.cache),t.memoizedState.cache!==n&&(t.flags|=2048),ma(Ea),ml(t),null;case 25:return null;case 30:return t.flags|=33554432,ml(t),null}throw Error(i(156,t.tag))}function gl(e,t){switch(Xi(t),t.tag){case 1:return e=t.flags,e&65536?(t.flags=e&-65537|128,t):null;case 3:return ma(Ea),Le(),e=t.flags,e&65536&&!(e&128)?(t.flags=e&-65537|128,t):null;case 26:case 27:case 5:return ze(t),null;case 31:if(t.memoizedState!==null){if(Mo(t),t.alternate===null)throw Error(i(340));sa()}return e=t.flags,e&65536?(t.flags=e&-65537|128,t):null;case 13:if(Mo(t),e=t.memoizedState,e!==null&&e.dehydrated!==null){if(t.alternate===null)throw Error(i(340));sa()}return e=t.flags,e&65536?(t.flags=e&-65537|128,t):null;case 19:return Fo(t),e=t.flags,e&65536?(t.flags=e&-65537|128,e=t.memoizedState,e!==null&&(e.rendering=null,e.tail=null),t.flags|=4,t):null;case 4:return Le(),null;case 10:return ma(t.type),null;case 22:case 23:return Mo(t),To(),e!==null&&Me(Ba),e=t.flags,e&65536?(t.flags=e&-65537|128,t):null;case 24:return ma(Ea),null;case 25:return null;default:return null}}function _l(e,t){switch(Xi(t),t.tag){case 3:ma(Ea),Le();break;case 26:case 27:case 5:ze(t);break;case 4:Le();break;case 31:t.memoizedState!==null&&Mo(t);break;case 13:Mo(t);break;case 19:Fo(t);break;case 10:ma(t.type);break;case 22:case 23:Mo(t),To(),e!==null&&Me(Ba);break;case 24:ma(Ea)}}function vl(e,t){try{var n=t.updateQueue,r=n===null?null:n.lastEffect;if(r!==null){var i=r.next;n=i;do{if((n.tag&e)===e){r=void 0;var a=n.create,o=n.inst;r=a(),o.destroy=r}n=n.next}while(n!==i)}}catch(e){pf(t,t.return,e)}}function yl(e,t,n){try{var r=t.updateQueue,i=r===null?null:r.lastEffect;if(i!==null){var a=i.next;r=a;do{if((r.tag&e)===e){var o=r.inst,s=o.destroy;if(s!==void 0){o.destroy=void 0,i=t;var c=n,l=s;try{l()}catch(e){pf(i,c,e)}}}r=r.next}while(r!==a)}}catch(e){pf(t,t.return,e)}}function bl(e){var t=e.updateQueue;if(t!==null){var n=e.stateNode;try{bo(t,n)}catch(t){pf(e,e.return,t)}}}function xl(e,t,n){n.props=vc(e.type,e.memoizedProps),n.state=e.memoizedState;try{n.componentWillUnmount()}catch(n){pf(e,t,n)}}function Sl(e,t){try{var n=e.ref;if(n!==null){switch(e.tag){case 26:case 27:case 5:var r=e.stateNode;break;case 30:var i=e.stateNode,a=pi(e.memoizedProps,i);(i.ref===null||i.ref.name!==a)&&(i.ref=Pp(a)),r=i.ref;break;case 7:if(e.stateNode===null){var o=new Fp(e);h(e.child,!1,Qp,o,void 0,void 0),e.stateNode=o}r=e.stateNode;break;default:r=e.stateNode}typeof n==`function`?e.refCleanup=n(r):n.current=r}}catch(n){pf(e,t,n)}}function Cl(e,t){var n=e.ref,r=e.refCleanup;if(n!==null){if(typeof r==`function`)try{r()}catch(n){pf(e,t,n)}finally{e.refCleanup=null,e=e.alternate,e!=null&&(e.refCleanup=null)}else if(typeof n==`function`)try{n(null)}catch(n){pf(e,t,n)}else n.current=null}}function wl(e,t){if((e.tag===5||e.tag===27||e.tag===6)&&e.alternate===null&&t!==null)for(var n=0;n<t.length;n++)em(e.stateNode,t[n])}function Tl(e){for(var t=e.return;t!==null&&(Ol(t)&&em(e.stateNode,t.stateNode),!Dl(t));)t=t.return}function El(e){for(var t=e.return;t!==null&&(Ol(t)&&tm(e.stateNode,t.stateNode),!Dl(t));)t=t.return}function Dl(e){return e.tag===5||e.tag===3||e.tag===27}function Ol(e){return e&&e.tag===7&&e.stateNode!==null}function kl(e){var t=e.type,n=e.memoizedProps,r=e.stateNode;try{a:switch(t){case`button`:case`input`:case`select`:case`textarea`:n.autoFocus&&r.focus();break a;case`img`:n.src?r.src=n.src:n.srcSet&&(r.srcset=n.srcSet)}}catch(t){pf(e,e.return,t)}}function Al(e,t,n){try{var r=e.stateNode;ip(r,e.type,n,t),r[Mt]=t}catch(t){pf(e,e.return,t)}}function jl(e){return e.tag===5||e.tag===3||e.tag===26||e.tag===27&&Sp(e.type)||e.tag===4}function Ml(e){a:for(;;){for(;e.sibling===null;){if(e.return===null||jl(e.return))return null;e=e.return}for(e.sibling.return=e.return,e=e.sibling;e.tag!==5&&e.tag!==6&&e.tag!==18;){if(e.tag===27&&Sp(e.type)||e.flags&2||e.child===null||e.tag===4)continue a;e.child.return=e,e=e.child}if(!(e.flags&2))return e.stateNode}}function Nl(e,t,n,r){var i=e.tag;if(i===5||i===6)i=e.stateNode,t?(n.nodeType===9?n.body:n.nodeName===`HTML`?n.ownerDocument.body:n).insertBefore(i,t):(t=n.nodeType===9?n.body:n.nodeName===`HTML`?n.ownerDocument.body:n,t.appendChild(i),n=n._reactRootContainer,n!=null||t.onclick!==null||(t.onclick=Dn)),wl(e,r),A=!0;else if(i!==4&&(i===27&&(wl(e,r),r=null,Sp(e.type)&&(n=e.stateNode,t=null)),e=e.child,e!==null))for(Nl(e,t,n,r),e=e.sibling;e!==null;)Nl(e,t,n,r),e=e.sibling}function Pl(e,t,n,r){var i=e.tag;if(i===5||i===6)i=e.stateNode,t?n.insertBefore(i,t):n.appendChild(i),wl(e,r),A=!0;else if(i!==4&&(i===27&&(wl(e,r),r=null,Sp(e.type)&&(n=e.stateNode)),e=e.child,e!==null))for(Pl(e,t,n,r),e=e.sibling;e!==null;)Pl(e,t,n,r),e=e.sibling}function Fl(e){var t=e.stateNode,n=e.memoizedProps;try{for(var r=e.type,i=t.attributes;i.length;)t.removeAttributeNode(i[0]);np(t,r,n),t[jt]=e,t[Mt]=n}catch(t){pf(e,e.return,t)}}var Il=!1,Ll=null;function Rl(e){(e.tag===30||e.subtreeFlags&33554432)&&(Il=!0)}var zl=null;function Bl(){var e=zl;return zl=null,e}var Vl=0;function Hl(e,t,n,r,i){return Vl=0,Ul(e.child,t,n,r,i)}function Ul(e,t,n,r,i){for(var a=!1;e!==null;){if(e.tag===5){var o=e.stateNode;if(r!==null){var s=Op(o);r.push(s),s.view&&(a=!0)}else a||Op(o).view&&(a=!0);Il=!0,Tp(o,Vl===0?t:t+`_`+Vl,n),Vl++}else e.tag===22&&e.memoizedState!==null||e.tag===30&&i||Ul(e.child,t,n,r,i)&&(a=!0);e=e.sibling}return a}function Wl(e,t){for(;e!==null;)e.tag===5?Ep(e.stateNode,e.memoizedProps):e.tag===22&&e.memoizedState!==null||e.tag===30&&t||Wl(e.child,t),e=e.sibling}function Gl(e){if(e.subtreeFlags&18874368)for(e=e.child;e!==null;){if((e.tag!==22||e.memoizedState===null)&&(Gl(e),e.tag===30&&e.flags&18874368&&e.stateNode.paired)){var t=e.memoizedProps;if(t.name==null||t.name===`auto`)throw Error(i(544));var n=t.name;t=W(t.default,t.share),t!==`none`&&(Hl(e,n,t,null,!1)||Wl(e.child,!1))}e=e.sibling}}function Kl(e,t){if(e.tag===30){var n=e.stateNode,r=e.memoizedProps,i=pi(r,n),a=W(r.default,n.paired?r.share:r.enter);a===`none`?Gl(e):Hl(e,i,a,null,!1)?(Gl(e),n.paired||t||Md(e,r.onEnter)):Wl(e.child,!1)}else if(e.subtreeFlags&33554432)for(e=e.child;e!==null;)Kl(e,t),e=e.sibling;else Gl(e)}function ql(e){if(Ll!==null&&Ll.size!==0){var t=Ll;if(e.subtreeFlags&18874368)for(e=e.child;e!==null;){if(e.tag!==22||e.memoizedState===null){if(e.tag===30&&e.flags&18874368){var n=e.memoizedProps,r=n.name;if(r!=null&&r!==`auto`){var i=t.get(r);if(i!==void 0){var a=W(n.default,n.share);if(a!==`none`&&(Hl(e,r,a,null,!1)?(a=e.stateNode,i.paired=a,a.paired=i,Md(e,n.onShare)):Wl(e.child,!1)),t.delete(r),t.size===0)break}}}ql(e)}e=e.sibling}}}function Jl(e){if(e.tag===30){var t=e.memoizedProps,n=pi(t,e.stateNode),r=Ll===null?void 0:Ll.get(n),i=W(t.default,r===void 0?t.exit:t.share);i!==`none`&&(Hl(e,n,i,null,!1)?r===void 0?Md(e,t.onExit):(i=e.stateNode,r.paired=i,i.paired=r,Ll.delete(n),Md(e,t.onShare)):Wl(e.child,!1)),Ll!==null&&ql(e)}else if(e.subtreeFlags&33554432)for(e=e.child;e!==null;)Jl(e),e=e.sibling;else Ll!==null&&ql(e)}function Yl(e){for(e=e.child;e!==null;){if(e.tag===30){var t=e.memoizedProps,n=pi(t,e.stateNode);t=W(t.default,t.update),e.flags&=-5,t!==`none`&&Hl(e,n,t,e.memoizedState=[],!1)}else e.subtreeFlags&33554432&&Yl(e);e=e.sibling}}function Xl(e){if(e.subtreeFlags&18874368)for(e=e.child;e!==null;){if(e.tag!==22||e.memoizedState===null){if(e.tag===30&&e.flags&18874368){var t=e.stateNode;t.paired!==null&&(t.paired=null,Wl(e.child,!1))}Xl(e)}e=e.sibling}}function Zl(e){if(e.tag===30)e.stateNode.paired=null,Wl(e.child,!1),Xl(e);else if(e.subtreeFlags&33554432)for(e=e.child;e!==null;)Zl(e),e=e.sibling;else Xl(e)}function Ql(e){for(e=e.child;e!==null;)e.tag===30?Wl(e.child,!1):e.subtreeFlags&33554432&&Ql(e),e=e.sibling}function $l(e,t,n,r,i,a,o){for(var s=!1;t!==null;){if(t.tag===5){var c=t.stateNode;if(a!==null&&Vl<a.length){var l=a[Vl],u=Op(c);(l.view||u.view)&&(s=!0);var d;if(d=!(e.flags&4)){if(u.clip)d=!0;else{d=l.rect;var f=u.rect;d=d.y!==f.y||d.x!==f.x||d.height!==f.height||d.width!==f.width}}d&&(e.flags|=4),u.abs?u=!l.abs:(l=l.rect,u=u.rect,u=l.height!==u.height||l.width!==u.width),u&&(e.flags|=32)}else e.flags|=32;e.flags&4&&Tp(c,Vl===0?n:n+`_`+Vl,i),s&&e.flags&4||(zl===null&&(zl=[]),zl.push(c,Vl===0?r:r+`_`+Vl,t.memoizedProps)),Vl++}else(t.tag!==22||t.memoizedState===null)&&(t.tag===30&&o?e.flags|=t.flags&32:$l(e,t.child,n,r,i,a,o)&&(s=!0));t=t.sibling}return s}function eu(e,t){for(e=e.child;e!==null;){if(e.tag===30){var n=e.memoizedProps,r=e.stateNode,i=pi(n,r),a=W(n.default,n.update);if(t){r=r.clones;var o=r===null?null:r.map(kp)}else o=e.memoizedState,e.memoizedState=null;r=e;var s=e.child;Vl=0,i=$l(r,s,i,i,a,o,!1),e.flags&4&&i&&(t||Md(e,n.onUpdate))}else e.subtreeFlags&33554432&&eu(e,t);e=e.sibling}}var tu=!1,J=!1,nu=!1,ru=!1,iu=typeof WeakSet==`function`?WeakSet:Set,au=null,ou=!1,su=!1,cu=!1,lu=!1;function uu(e,t,n){if(e=e.containerInfo,sp=gh,e=F(e),I(e)){if(`selectionStart`in e)var r={start:e.selectionStart,end:e.selectionEnd};else a:{r=(r=e.ownerDocument)&&r.defaultView||window;var i=r.getSelection&&r.getSelection();if(i&&i.rangeCount!==0){r=i.anchorNode;var a=i.anchorOffset,o=i.focusNode;i=i.focusOffset;try{r.nodeType,o.nodeType}catch{r=null;break a}var s=0,c=-1,l=-1,u=0,d=0,f=e,p=null;b:for(;;){for(var m;f!==r||a!==0&&f.nodeType!==3||(c=s+a),f!==o||i!==0&&f.nodeType!==3||(l=s+i),f.nodeType===3&&(s+=f.nodeValue.length),(m=f.firstChild)!==null;)p=f,f=m;for(;;){if(f===e)break b;if(p===r&&++u===a&&(c=s),p===o&&++d===i&&(l=s),(m=f.nextSibling)!==null)break;f=p,p=f.parentNode}f=m}r=c===-1||l===-1?null:{start:c,end:l}}else r=null}r||={start:0,end:0}}else r=null;for(cp={focusedElem:e,selectionRange:r},gh=!1,n=(n&335544064)===n,au=t,t=n?9270:1024;au!==null;){if(e=au,n&&(r=e.deletions,r!==null))for(a=0;a<r.length;a++)n&&Jl(r[a]);if(e.alternate===null&&e.flags&2)n&&Rl(e),du(n);else{if(e.tag===22){if(r=e.alternate,e.memoizedState!==null){r!==null&&r.memoizedState===null&&n&&Jl(r),du(n);continue}if(r!==null&&r.memoizedState!==null){n&&Rl(e),du(n);continue}}r=e.child,(e.subtreeFlags&t)!==0&&r!==null?(r.return=e,au=r):(n&&Yl(e),du(n))}}Ll=null}function du(e){for(;au!==null;){var t=au,n=e,r=t.alternate,a=t.flags;switch(t.tag){case 0:case 11:case 15:break;case 1:if(a&1024&&r!==null){n=void 0,a=r.memoizedProps,r=r.memoizedState;var o=t.stateNode;try{var s=vc(t.type,a);n=o.getSnapshotBeforeUpdate(s,r),o.__reactInternalSnapshotBeforeUpdate=n}catch(e){pf(t,t.return,e)}}break;case 3:if(a&1024){if(r=t.stateNode.containerInfo,n=r.nodeType,n===9)nm(r);else if(n===1)switch(r.nodeName){case`HEAD`:case`HTML`:case`BODY`:nm(r);break;default:r.textContent=``}}break;case 5:case 26:case 27:case 6:case 4:case 17:break;case 30:n&&r!==null&&(n=pi(r.memoizedProps,r.stateNode),a=t.memoizedProps,a=W(a.default,a.update),a!==`none`&&Hl(r,n,a,r.memoizedState=[],!0));break;default:if(a&1024)throw Error(i(163))}if(r=t.sibling,r!==null){r.return=t.return,au=r;break}au=t.return}}function fu(e,t,n){var r=n.flags;switch(n.tag){case 0:case 11:case 15:Mu(e,n),r&4&&vl(5,n);break;case 1:if(Mu(e,n),r&4){if(e=n.stateNode,t===null)try{e.componentDidMount()}catch(e){pf(n,n.return,e)}else{var i=vc(n.type,t.memoizedProps);t=t.memoizedState;try{e.componentDidUpdate(i,t,e.__reactInternalSnapshotBeforeUpdate)}catch(e){pf(n,n.return,e)}}}r&64&&bl(n),r&512&&Sl(n,n.return);break;case 3:if(Mu(e,n),r&64&&(e=n.updateQueue,e!==null)){if(t=null,n.child!==null)switch(n.child.tag){case 27:case 5:t=n.child.stateNode;break;case 1:t=n.child.stateNode}try{bo(e,t)}catch(e){pf(n,n.return,e)}}break;case 27:t===null&&r&4&&Fl(n);case 26:case 5:Mu(e,n),t===null&&r&4&&kl(n),r&512&&Sl(n,n.return);break;case 12:Mu(e,n);break;case 31:Mu(e,n),r&4&&xu(e,n);break;case 13:Mu(e,n),r&4&&Su(e,n),r&64&&(e=n.memoizedState,e!==null&&(e=e.dehydrated,e!==null&&(n=_f.bind(null,n),cm(e,n))));break;case 22:if(r=n.memoizedState!==null||tu,!r){var a=t!==null&&t.memoizedState!==null||J;t=tu,i=J,tu=r,(J=a)&&!i?(r=2,n.subtreeFlags&8772&&(r|=1),Pu(e,n,r)):Mu(e,n),tu=t,J=i}break;case 30:Mu(e,n),r&512&&Sl(n,n.return);break;case 7:r&512&&Sl(n,n.return);default:Mu(e,n)}}function pu(e,t){for(e=e.child;e!==null;)mu(e,t),e=e.sibling}function mu(e,t){switch(e.tag){case 5:case 26:try{var n=e.stateNode;if(t){var r=n.style;typeof r.setProperty==`function`?r.setProperty(`display`,`none`,`important`):r.display=`none`}else{var i=e.stateNode,a=e.memoizedProps.style,o=a!=null&&a.hasOwnProperty(`display`)?a.display:null;i.style.display=o==null||typeof o==`boolean`?``:(``+o).trim()}}catch(t){pf(e,e.return,t)}hu(e,t);break;case 6:try{e.stateNode.nodeValue=t?``:e.memoizedProps,A=!0}catch(t){pf(e,e.return,t)}break;case 18:try{var s=e.stateNode;t?wp(s,!0):wp(e.stateNode,!1)}catch(t){pf(e,e.return,t)}break;case 22:case 23:e.memoizedState===null&&pu(e,t);break;default:pu(e,t)}}function hu(e,t){if(e.subtreeFlags&67108864)for(e=e.child;e!==null;){a:{var n=e,r=t;switch(n.tag){case 4:mu(n,r);break a;case 22:n.memoizedState===null&&hu(n,r);break a;default:hu(n,r)}}e=e.sibling}}function gu(e){var t=e.alternate;t!==null&&(e.alternate=null,gu(t)),e.child=null,e.deletions=null,e.sibling=null,e.tag===5&&(t=e.stateNode,t!==null&&Bt(t)),e.stateNode=null,e.return=null,e.dependencies=null,e.memoizedProps=null,e.memoizedState=null,e.pendingProps=null,e.stateNode=null,e.updateQueue=null}var _u=null,vu=!1;function yu(e,t,n){for(n=n.child;n!==null;)bu(e,t,n),n=n.sibling}function bu(e,t,n){if(ct&&typeof ct.onCommitFiberUnmount==`function`)try{ct.onCommitFiberUnmount(st,n)}catch{}switch(n.tag){case 26:J||Cl(n,t),yu(e,t,n),n.memoizedState?n.memoizedState.count--:n.stateNode&&!J&&(n=n.stateNode,n.parentNode.removeChild(n));break;case 27:J||Cl(n,t),El(n);var r=_u,i=vu;Sp(n.type)&&(_u=n.stateNode,vu=!1),yu(e,t,n),gm(n.stateNode,n.type,n.memoizedProps),_u=r,vu=i;break;case 5:J||Cl(n,t),El(n);case 6:if(n.tag===6&&El(n),r=_u,i=vu,_u=null,yu(e,t,n),_u=r,vu=i,_u!==null){if(vu)try{(_u.nodeType===9?_u.body:_u.nodeName===`HTML`?_u.ownerDocument.body:_u).removeChild(n.stateNode),A=!0}catch(e){pf(n,t,e)}else try{_u.removeChild(n.stateNode),A=!0}catch(e){pf(n,t,e)}}break;case 18:_u!==null&&(vu?(e=_u,Cp(e.nodeType===9?e.body:e.nodeName===`HTML`?e.ownerDocument.body:e,n.stateNode),Hh(e)):Cp(_u,n.stateNode));break;case 4:r=_u,i=vu,_u=n.stateNode.containerInfo,vu=!0,yu(e,t,n),_u=r,vu=i;break;case 0:case 11:case 14:case 15:yl(2,n,t),J||yl(4,n,t),yu(e,t,n);break;case 1:J||(Cl(n,t),r=n.stateNode,typeof r.componentWillUnmount==`function`&&xl(n,t,r)),yu(e,t,n);break;case 21:yu(e,t,n);break;case 22:J=(r=J)||n.memoizedState!==null,yu(e,t,n),J=r;break;case 30:Cl(n,t),yu(e,t,n);break;case 7:J||Cl(n,t),yu(e,t,n);break;default:yu(e,t,n)}}function xu(e,t){if(t.memoizedState===null&&(e=t.alternate,e!==null&&(e=e.memoizedState,e!==null))){e=e.dehydrated;try{Hh(e)}catch(e){pf(t,t.return,e)}}}function Su(e,t){if(t.memoizedState===null&&(e=t.alternate,e!==null&&(e=e.memoizedState,e!==null&&(e=e.dehydrated,e!==null))))try{Hh(e)}catch(e){pf(t,t.return,e)}}function Cu(e){switch(e.tag){case 31:case 13:case 19:var t=e.stateNode;return t===null&&(t=e.stateNode=new iu),t;case 22:return e=e.stateNode,t=e._retryCache,t===null&&(t=e._retryCache=new iu),t;default:throw Error(i(435,e.tag))}}function wu(e,t){var n=Cu(e);t.forEach(function(t){if(!n.has(t)){n.add(t);var r=vf.bind(null,e,t);t.then(r,r)}})}function Tu(e,t,n){var r=t.deletions;if(r!==null)for(var a=0;a<r.length;a++){var o=r[a],s=e,c=t,l=c;a:for(;l!==null;){switch(l.tag){case 27:if(Sp(l.type)){_u=l.stateNode,vu=!1;break a}break;case 5:_u=l.stateNode,vu=!1;break a;case 3:case 4:_u=l.stateNode.containerInfo,vu=!0;break a}l=l.return}if(_u===null)throw Error(i(160));bu(s,c,o),_u=null,vu=!1,s=o.alternate,s!==null&&(s.return=null),o.return=null}if(t.subtreeFlags&13886)for(t=t.child;t!==null;)Du(t,e,n),t=t.sibling}var Eu=null;function Du(e,t,n){var r=e.alternate,a=e.flags;switch(e.tag){case 0:case 11:case 14:case 15:if(a&4&&(r=e.updateQueue,r=r===null?null:r.events,r!==null))for(var o=0;o<r.length;o++){var s=r[o];s.ref.impl=s.nextImpl}Tu(t,e,n),Ou(e),a&4&&(yl(3,e,e.return),vl(3,e),yl(5,e,e.return));break;case 1:Tu(t,e,n),Ou(e),a&512&&(J||r===null||Cl(r,r.return)),a&64&&tu&&(e=e.updateQueue,e!==null&&(t=e.callbacks,t!==null&&(n=e.shared.hiddenCallbacks,e.shared.hiddenCallbacks=n===null?t:n.concat(t))));break;case 26:if(o=Eu,Tu(t,e,n),Ou(e),a&512&&(J||r===null||Cl(r,r.return)),a&4){if(a=r===null?null:r.memoizedState,n=e.memoizedState,r===null){if(n===null){if(e.stateNode===null){if(tu)e.stateNode=fp(e.type,e.memoizedProps,t.containerInfo,e);else{a:{t=e.type,n=e.memoizedProps,a=o.ownerDocument||o;b:switch(t){case`title`:r=a.getElementsByTagName(`title`)[0],(!r||r[Rt]||r[jt]||r.namespaceURI===`http://www.w3.org/2000/svg`||r.hasAttribute(`itemprop`))&&(r=a.createElement(t),a.head.insertBefore(r,a.querySelector(`head > title`))),np(r,t,n),r[jt]=e,Gt(r),t=r;break a;case`link`:if(o=Gm(`link`,`href`,a).get(t+(n.href||``))){for(s=0;s<o.length;s++)if(r=o[s],r.getAttribute(`href`)===(n.href==null||n.href===``?null:n.href)&&r.getAttribute(`rel`)===(n.rel==null?null:n.rel)&&r.getAttribute(`title`)===(n.title==null?null:n.title)&&r.getAttribute(`crossorigin`)===(n.crossOrigin==null?null:n.crossOrigin)){o.splice(s,1);break b}}r=a.createElement(t),np(r,t,n),a.head.appendChild(r);break;case`meta`:if(o=Gm(`meta`,`content`,a).get(t+(n.content||``))){for(s=0;s<o.length;s++)if(r=o[s],r.getAttribute(`content`)===(n.content==null?null:``+n.content)&&r.getAttribute(`name`)===(n.name==null?null:n.name)&&r.getAttribute(`property`)===(n.property==null?null:n.property)&&r.getAttribute(`http-equiv`)===(n.httpEquiv==null?null:n.httpEquiv)&&r.getAttribute(`charset`)===(n.charSet==null?null:n.charSet)){o.splice(s,1);break b}}r=a.createElement(t),np(r,t,n),a.head.appendChild(r);break;default:throw Error(i(468,t))}r[jt]=e,Gt(r),t=r}e.stateNode=t}}else tu||Km(o,e.type,e.stateNode)}else e.stateNode=Bm(o,n,e.memoizedProps)}else a===n?n===null&&e.stateNode!==null&&Al(e,e.memoizedProps,r.memoizedProps):(a===null?(t=r.stateNode,t===null||J||t.parentNode.removeChild(t)):a.count--,n===null?tu||Km(o,e.type,e.stateNode):Bm(o,n,e.memoizedProps))}break;case 27:Tu(t,e,n),Ou(e),a&512&&(J||r===null||Cl(r,r.return)),r!==null&&a&4&&Al(e,e.memoizedProps,r.memoizedProps);break;case 5:if(o=nu,nu=!1,Tu(t,e,n),nu=o,Ou(e),a&512&&(J||r===null||Cl(r,r.return)),e.flags&32){t=e.stateNode;try{yn(t,``),A=!0}catch(t){pf(e,e.return,t)}}a&4&&e.stateNode!=null&&(t=e.memoizedProps,Al(e,t,r===null?t:r.memoizedProps)),a&1024&&(ru=!0);break;case 6:if(Tu(t,e,n),Ou(e),a&4){if(e.stateNode===null)throw Error(i(162));t=e.memoizedProps,n=e.stateNode;try{n.nodeValue=t,A=!0}catch(t){pf(e,e.return,t)}}break;case 3:if(A=!1,Wm=null,o=Eu,Eu=bm(t.containerInfo),Tu(t,e,n),Eu=o,Ou(e),a&4&&r!==null&&r.memoizedState.isDehydrated)try{Hh(t.containerInfo)}catch(t){pf(e,e.return,t)}ru&&(ru=!1,ku(e)),A=!1;break;case 4:a=nu,nu=tu,r=tn(),o=Eu,Eu=bm(e.stateNode.containerInfo),Tu(t,e,n),Ou(e),Eu=o,A&&su&&(cu=!0),A=r,nu=a;break;case 12:Tu(t,e,n),Ou(e);break;case 31:Tu(t,e,n),Ou(e),a&4&&(t=e.updateQueue,t!==null&&(e.updateQueue=null,wu(e,t)));break;case 13:Tu(t,e,n),Ou(e),e.child.flags&8192&&e.memoizedState!==null!=(r!==null&&r.memoizedState!==null)&&(pd=Qe()),a&4&&(t=e.updateQueue,t!==null&&(e.updateQueue=null,wu(e,t)));break;case 22:o=e.memoizedState!==null,s=r!==null&&r.memoizedState!==null;var c=tu,l=J,u=nu;tu=c||o,nu=u||o,J=l||s,Tu(t,e,n),J=l,nu=u,tu=c,Ou(e),a&8192&&(t=e.stateNode,t._visibility=o?t._visibility&-2:t._visibility|1,!o||r===null||s||tu||J||(t=s||J,n=tu,r=J,tu=o||tu,J=t,Nu(e,2),tu=n,J=r),!o&&nu||pu(e,o)),a&4&&(t=e.updateQueue,t!==null&&(n=t.retryQueue,n!==null&&(t.retryQueue=null,wu(e,n))));break;case 19:Tu(t,e,n),Ou(e),a&4&&(t=e.updateQueue,t!==null&&(e.updateQueue=null,wu(e,t)));break;case 30:a&512&&(J||r===null||Cl(r,r.return)),a=tn(),o=su,s=(n&335544064)===n,c=e.memoizedProps,su=s&&W(c.default,c.update)!==`none`,Tu(t,e,n),Ou(e),s&&r!==null&&A&&(e.flags|=4),su=o,A=a;break;case 21:break;case 7:a&512&&(J||r===null||Cl(r,r.return)),r&&r.stateNode!==null&&(r.stateNode._fragmentFiber=e);default:Tu(t,e,n),Ou(e)}}function Ou(e){var t=e.flags;if(t&2){try{for(var n,r=e.return;r!==null;){if(jl(r)){n=r;break}r=r.return}r=null;for(var a=e.return;a!==null;){if(Ol(a)){var o=a.stateNode;r===null?r=[o]:r.push(o)}if(Dl(a))break;a=a.return}var s=r;if(n==null)throw Error(i(160));switch(n.tag){case 27:var c=n.stateNode;Pl(e,Ml(e),c,s);break;case 5:var l=n.stateNode;n.flags&32&&(yn(l,``),n.flags&=-33),Pl(e,Ml(e),l,s);break;case 3:case 4:var u=n.stateNode.containerInfo;Nl(e,Ml(e),u,s);break;default:throw Error(i(161))}}catch(t){pf(e,e.return,t)}e.flags&=-3}t&4096&&(e.flags&=-4097)}function ku(e){if(e.subtreeFlags&1024)for(e=e.child;e!==null;){var t=e;ku(t),t.tag===5&&t.flags&1024&&(t=t.stateNode,gh=!0,t.reset(),gh=!1),e=e.sibling}}function Au(e,t){if(t.subtreeFlags&9270)for(t=t.child;t!==null;)ju(t,e),t=t.sibling;else eu(t,!1)}function ju(e,t){var n=e.alternate;if(n===null)Kl(e,!1);else switch(e.tag){case 3:if(lu=ou=!1,Bl(),Au(t,e),!ou&&!cu){if(e=zl,e!==null)for(var r=0;r<e.length;r+=3){n=e[r];var i=e[r+1];Ep(n,e[r+2]),n=n.ownerDocument.documentElement,n!==null&&n.animate({opacity:[0,0],pointerEvents:[`none`,`none`]},{duration:0,fill:`forwards`,pseudoElement:`::view-transition-group(`+i+`)`})}e=t.containerInfo,e=e.nodeType===9?e.documentElement:e.ownerDocument.documentElement,e!==null&&e.style.viewTransitionName===``&&(e.style.viewTransitionName=`none`,e.animate({opacity:[0,0],pointerEvents:[`none`,`none`]},{duration:0,fill:`forwards`,pseudoElement:`::view-transition-group(root)`}),e.animate({width:[0,0],height:[0,0]},{duration:0,fill:`forwards`,pseudoElement:`::view-transition`})),lu=!0}zl=null;break;case 5:Au(t,e);break;case 4:r=ou,ou=!1,Au(t,e),ou&&(cu=!0),ou=r;break;case 22:e.memoizedState===null&&(n.memoizedState===null?Au(t,e):Kl(e,!1));break;case 30:r=ou,i=Bl(),ou=!1,Au(t,e),ou&&(e.flags|=4);var a=e.memoizedProps,o=e.stateNode;t=pi(a,o),o=pi(n.memoizedProps,o);var s=W(a.default,a.update);s===`none`?t=!1:(a=n.memoizedState,n.memoizedState=null,n=e.child,Vl=0,t=$l(e,n,t,o,s,a,!0),Vl!==(a===null?0:a.length)&&(e.flags|=32)),e.flags&4&&t?(Md(e,e.memoizedProps.onUpdate),zl=i):i!==null&&(i.push.apply(i,zl),zl=i),ou=e.flags&32?!0:r;break;default:Au(t,e)}}function Mu(e,t){if(t.subtreeFlags&8772)for(t=t.child;t!==null;)fu(e,t.alternate,t),t=t.sibling}function Nu(e,t){for(e=e.child;e!==null;){var n=e,r=t;switch(n.tag){case 0:case 11:case 14:case 15:yl(4,n,n.return),Nu(n,r);break;case 1:Cl(n,n.return);var i=n.stateNode;typeof i.componentWillUnmount==`function`&&xl(n,n.return,i),Nu(n,r);break;case 27:r&2&&gm(n.stateNode,n.type,n.memoizedProps);case 5:Cl(n,n.return),n.tag!==5&&n.tag!==27||El(n),Nu(n,r);break;case 6:El(n);break;case 26:Cl(n,n.return),i=n.stateNode,n.memoizedState!==null||i===null||J||i.parentNode.removeChild(i),Nu(n,r);break;case 22:n.memoizedState===null&&Nu(n,r);break;case 30:Cl(n,n.return),Nu(n,r);break;case 7:Cl(n,n.return);default:Nu(n,r)}e=e.sibling}}function Pu(e,t,n){for(n=t.subtreeFlags&8772?n:n&-2,t=t.child;t!==null;){var r=t.alternate,i=e,a=t,o=a.flags,s=!!(n&1);switch(a.tag){case 0:case 11:case 15:Pu(i,a,n),vl(4,a);break;case 1:if(Pu(i,a,n),r=a,i=r.stateNode,typeof i.componentDidMount==`function`)try{i.componentDidMount()}catch(e){pf(r,r.return,e)}if(r=a,i=r.updateQueue,i!==null){var c=r.stateNode;try{var l=i.shared.hiddenCallbacks;if(l!==null)for(i.shared.hiddenCallbacks=null,i=0;i<l.length;i++)yo(l[i],c)}catch(e){pf(r,r.return,e)}}s&&o&64&&bl(a),Sl(a,a.return);break;case 27:n&2&&Fl(a);case 5:a.tag!==5&&a.tag!==27||Tl(a),Pu(i,a,n),s&&r===null&&o&4&&kl(a),Sl(a,a.return);break;case 6:Tl(a);break;case 26:c=a.stateNode,a.memoizedState!==null||c===null||tu||Km(bm(c.ownerDocument),a.type,c),Pu(i,a,n),s&&r===null&&o&4&&kl(a),Sl(a,a.return);break;case 12:Pu(i,a,n);break;case 31:Pu(i,a,n),s&&o&4&&xu(i,a);break;case 13:Pu(i,a,n),s&&o&4&&Su(i,a);break;case 22:a.memoizedState===null&&Pu(i,a,n),Sl(a,a.return);break;case 30:Pu(i,a,n),Sl(a,a.return);break;case 7:Sl(a,a.return);default:Pu(i,a,n)}t=t.sibling}}function Fu(e,t){var n=null;e!==null&&e.memoizedState!==null&&e.memoizedState.cachePool!==null&&(n=e.memoizedState.cachePool.pool),e=null,t.memoizedState!==null&&t.memoizedState.cachePool!==null&&(e=t.memoizedState.cachePool.pool),e!==n&&(e!=null&&e.refCount++,n!=null&&Oa(n))}function Iu(e,t){e=null,t.alternate!==null&&(e=t.alternate.memoizedState.cache),t=t.memoizedState.cache,t!==e&&(t.refCount++,e!=null&&Oa(e))}function Lu(e,t,n,r){var i=(n&335544064)===n;if(t.subtreeFlags&(i?10262:10256))for(t=t.child;t!==null;)Ru(e,t,n,r),t=t.sibling;else i&&Ql(t)}function Ru(e,t,n,r){var i=(n&335544064)===n;i&&t.alternate===null&&t.return!==null&&t.return.alternate!==null&&Zl(t);var a=t.flags;switch(t.tag){case 0:case 11:case 15:Lu(e,t,n,r),a&2048&&vl(9,t);break;case 1:Lu(e,t,n,r);break;case 3:Lu(e,t,n,r),i&&lu&&(e=e.containerInfo,e=e.nodeType===9?e.body:e.nodeName===`HTML`?e.ownerDocument.body:e,e.style.viewTransitionName===`root`&&(e.style.viewTransitionName=``),e=e.ownerDocument.documentElement,e!==null&&e.style.viewTransitionName===`none`&&(e.style.viewTransitionName=``)),a&2048&&(a=null,t.alternate!==null&&(a=t.alternate.memoizedState.cache),t=t.memoizedState.cache,t!==a&&(t.refCount++,a!=null&&Oa(a)));break;case 12:if(a&2048){Lu(e,t,n,r),a=t.stateNode;try{var o=t.memoizedProps,s=o.id,c=o.onPostCommit;typeof c==`function`&&c(s,t.alternate===null?`mount`:`update`,a.passiveEffectDuration,-0)}catch(e){pf(t,t.return,e)}}else Lu(e,t,n,r);break;case 31:Lu(e,t,n,r);break;case 13:Lu(e,t,n,r);break;case 23:break;case 22:o=t.stateNode,s=t.alternate,t.memoizedState===null?(i&&s!==null&&s.memoizedState!==null&&Zl(t),o._visibility&2?Lu(e,t,n,r):(o._visibility|=2,zu(e,t,n,r,!!(t.subtreeFlags&10256)||!1))):(i&&s!==null&&s.memoizedState===null&&Zl(s),o._visibility&2?Lu(e,t,n,r):Bu(e,t)),a&2048&&Fu(s,t);break;case 24:Lu(e,t,n,r),a&2048&&Iu(t.alternate,t);break;case 30:i&&(a=t.alternate,a!==null&&(Wl(a.child,!0),Wl(t.child,!0))),Lu(e,t,n,r);break;default:Lu(e,t,n,r)}}function zu(e,t,n,r,i){for(i&&=!!(t.subtreeFlags&10256)||!1,t=t.child;t!==null;){var a=e,o=t,s=n,c=r,l=o.flags;switch(o.tag){case 0:case 11:case 15:zu(a,o,s,c,i),vl(8,o);break;case 23:break;case 22:var u=o.stateNode;o.memoizedState===null?(u._visibility|=2,zu(a,o,s,c,i)):u._visibility&2?zu(a,o,s,c,i):Bu(a,o),i&&l&2048&&Fu(o.alternate,o);break;case 24:zu(a,o,s,c,i),i&&l&2048&&Iu(o.alternate,o);break;default:zu(a,o,s,c,i)}t=t.sibling}}function Bu(e,t){if(t.subtreeFlags&10256)for(t=t.child;t!==null;){var n=e,r=t,i=r.flags;switch(r.tag){case 22:Bu(n,r),i&2048&&Fu(r.alternate,r);break;case 24:Bu(n,r),i&2048&&Iu(r.alternate,r);break;default:Bu(n,r)}t=t.sibling}}var Vu=8192;function Hu(e,t,n){if(e.subtreeFlags&Vu)for(e=e.child;e!==null;)Uu(e,t,n),e=e.sibling}function Uu(e,t,n){switch(e.tag){case 26:Hu(e,t,n),e.flags&Vu&&(e.memoizedState===null?(e=e.stateNode,(t&335544128)===t&&Zm(n,e)):Qm(n,Eu,e.memoizedState,e.memoizedProps));break;case 5:Hu(e,t,n),e.flags&Vu&&(e=e.stateNode,(t&335544128)===t&&Zm(n,e));break;case 3:case 4:var r=Eu;Eu=bm(e.stateNode.containerInfo),Hu(e,t,n),Eu=r;break;case 22:e.memoizedState===null&&(r=e.alternate,r!==null&&r.memoizedState!==null?(r=Vu,Vu=16777216,Hu(e,t,n),Vu=r):Hu(e,t,n));break;case 30:if((e.flags&Vu)!==0&&(r=e.memoizedProps.name,r!=null&&r!==`auto`)){var i=e.stateNode;i.paired=null,Ll===null&&(Ll=new Map),Ll.set(r,i)}Hu(e,t,n);break;default:Hu(e,t,n)}}function Wu(e){var t=e.alternate;if(t!==null&&(e=t.child,e!==null)){t.child=null;do t=e.sibling,e.sibling=null,e=t;while(e!==null)}}function Gu(e){var t=e.deletions;if(e.flags&16){if(t!==null)for(var n=0;n<t.length;n++){var r=t[n];au=r,Ju(r,e)}Wu(e)}if(e.subtreeFlags&10256)for(e=e.child;e!==null;)Ku(e),e=e.sibling}function Ku(e){switch(e.tag){case 0:case 11:case 15:Gu(e),e.flags&2048&&yl(9,e,e.return);break;case 3:Gu(e);break;case 12:Gu(e);break;case 22:var t=e.stateNode;e.memoizedState!==null&&t._visibility&2&&(e.return===null||e.return.tag!==13)?(t._visibility&=-3,qu(e)):Gu(e);break;default:Gu(e)}}function qu(e){var t=e.deletions;if(e.flags&16){if(t!==null)for(var n=0;n<t.length;n++){var r=t[n];au=r,Ju(r,e)}Wu(e)}for(e=e.child;e!==null;){switch(t=e,t.tag){case 0:case 11:case 15:yl(8,t,t.return),qu(t);break;case 22:n=t.stateNode,n._visibility&2&&(n._visibility&=-3,qu(t));break;default:qu(t)}e=e.sibling}}function Ju(e,t){for(;au!==null;){var n=au;switch(n.tag){case 0:case 11:case 15:yl(8,n,t);break;case 23:case 22:if(n.memoizedState!==null&&n.memoizedState.cachePool!==null){var r=n.memoizedState.cachePool.pool;r!=null&&r.refCount++}break;case 24:Oa(n.memoizedState.cache)}if(r=n.child,r!==null)r.return=n,au=r;else a:for(n=e;au!==null;){r=au;var i=r.sibling,a=r.return;if(gu(r),r===n){au=null;break a}if(i!==null){i.return=a,au=i;break a}au=a}}}var Yu={getCacheForType:function(e){var t=ba(Ea),n=t.data.get(e);return n===void 0&&(n=e(),t.data.set(e,n)),n},cacheSignal:function(){return ba(Ea).controller.signal}},Xu=typeof WeakMap==`function`?WeakMap:Map,Y=0,Zu=null,X=null,Z=0,Qu=0,$u=null,ed=!1,td=!1,nd=!1,rd=0,id=0,ad=0,od=0,sd=0,cd=0,ld=0,ud=null,dd=null,fd=!1,pd=0,md=0,hd=1/0,gd=null,_d=null,vd=0,yd=null,bd=null,xd=0,Sd=0,Cd=null,wd=null,Td=null,Ed=null,Dd=null,Od=0,kd=null;function Ad(){return Y&2&&Z!==0?Z&-Z:C.T===null?Ot():Pf()}function jd(){if(cd===0){if(!(Z&536870912)||G){var e=ht;ht<<=1,!(ht&3932160)&&(ht=262144),cd=e}else cd=536870912}return e=Eo.current,e!==null&&(e.flags|=32),cd}function Md(e,t){if(t!=null){var n=e.stateNode,r=n.ref;r===null&&(r=n.ref=Pp(pi(e.memoizedProps,n))),Ed===null&&(Ed=[]),Ed.push(t.bind(null,r))}}function Nd(e,t,n){(e===Zu&&(Qu===2||Qu===9)||e.cancelPendingCommit!==null)&&(Bd(e,0),Ld(e,Z,cd,!1)),xt(e,n),Y&2&&e===Zu||(e===Zu&&(!(Y&2)&&(od|=n),id===4&&Ld(e,Z,cd,!1)),Ef(e))}function Pd(e,t,n){if(Y&6)throw Error(i(327));var r=!n&&!(t&127)&&(t&e.expiredLanes)===0||_t(e,t),a=r?Jd(e,t):Kd(e,t,!0),o=r;do{if(a===0){td&&!r&&Ld(e,t,0,!1);break}if(n=e.current.alternate,o&&!Id(n))a=Kd(e,t,!1),o=!1;else{if(a===2){if(o=t,e.errorRecoveryDisabledLanes&o)var s=0;else s=e.pendingLanes&-536870913,s=s===0?s&536870912?536870912:0:s;if(s!==0){t=s;a:{var c=e;a=ud;var l=c.current.memoizedState.isDehydrated;if(l&&(Bd(c,s).flags|=256),s=Kd(c,s,!1),s!==2&&s!==6){if(nd&&!l){c.errorRecoveryDisabledLanes|=o,od|=o,a=4;break a}o=dd,dd=a,o!==null&&(dd===null?dd=o:dd.push.apply(dd,o))}a=s}if(o=!1,a!==2)continue}}if(a===1){Bd(e,0),Ld(e,t,0,!0);break}a:{switch(r=e,o=a,o){case 0:case 1:throw Error(i(345));case 4:if((t&4194048)!==t&&(t&62914560)!==t)break;case 6:Ld(r,t,cd,!ed);break a;case 2:dd=null;break;case 3:case 5:break;default:throw Error(i(329))}if((t&62914560)===t&&(a=pd+300-Qe(),10<a)){if(Ld(r,t,cd,!ed),gt(r,0,!0)!==0)break a;xd=t,r.timeoutHandle=gp(Fd.bind(null,r,n,dd,gd,fd,t,cd,od,ld,ed,o,`Throttled`,-0,0),a);break a}Fd(r,n,dd,gd,fd,t,cd,od,ld,ed,o,null,-0,0)}break}}while(1);Ef(e)}function Fd(e,t,n,r,i,a,o,s,c,l,u,d,f,p){e.timeoutHandle=-1;var m=t.subtreeFlags,h=(a&335544064)===a;d=null,(h||m&8192||(m&16785408)==16785408)&&(d={stylesheets:null,count:0,imgCount:0,imgBytes:0,suspenseyImages:[],waitingForImages:!0,waitingForViewTransition:!1,unsuspend:Dn},Ll=null,Uu(t,a,d),h&&(m=d,h=e.containerInfo,h=(h.nodeType===9?h:h.ownerDocument).__reactViewTransition,h!=null&&(m.count++,m.waitingForViewTransition=!0,m=nh.bind(m),h.finished.then(m,m))),m=(a&62914560)===a?pd-Qe():(a&4194048)===a?md-Qe():0,m=eh(d,m),m!==null)?(xd=a,e.cancelPendingCommit=m(tf.bind(null,e,t,a,n,r,i,o,s,c,l,u,d,null,f,p)),Ld(e,a,o,!l)):tf(e,t,a,n,r,i,o,s,c,l,u,d)}function Id(e){for(var t=e;;){var n=t.tag;if((n===0||n===11||n===15)&&t.flags&16384&&(n=t.updateQueue,n!==null&&(n=n.stores,n!==null)))for(var r=0;r<n.length;r++){var i=n[r],a=i.getSnapshot;i=i.value;try{if(!Yr(a(),i))return!1}catch{return!1}}if(n=t.child,t.subtreeFlags&16384&&n!==null)n.return=t,t=n;else{if(t===e)break;for(;t.sibling===null;){if(t.return===null||t.return===e)return!0;t=t.return}t.sibling.return=t.return,t=t.sibling}}return!0}function Ld(e,t,n,r){t=vt(e,t),t&=~sd,t&=~od,e.suspendedLanes|=t,e.pingedLanes&=~t,r&&(e.warmLanes|=t),r=e.expirationTimes;for(var i=t;0<i;){var a=31-ut(i),o=1<<a;r[a]=-1,i&=~o}n!==0&&Ct(e,n,t)}function Rd(){return Y&6?!0:(Df(0,!1),!1)}function zd(){if(X!==null){if(Qu===0)var e=X.return;else e=X,fa=da=null,es(e),eo=null,to=0,e=X;for(;e!==null;)_l(e.alternate,e),e=e.return;X=null}}function Bd(e,t){var n=e.timeoutHandle;return n!==-1&&(e.timeoutHandle=-1,_p(n)),n=e.cancelPendingCommit,n!==null&&(e.cancelPendingCommit=null,n()),xd=0,zd(),Zu=e,X=n=ki(e.current,null),Z=t,Qu=0,$u=null,ed=!1,td=_t(e,t),nd=!1,ld=cd=sd=od=ad=id=0,dd=ud=null,fd=!1,rd=vt(e,t),yi(),n}function Vd(e,t){K=null,C.H=uc,t===Wa||t===Ka?(t=Qa(),Qu=3):t===Ga?(t=Qa(),Qu=4):Qu=t===Oc?8:typeof t==`object`&&t&&typeof t.then==`function`?6:1,$u=t,X===null&&(id=1,Sc(e,Li(t,e.current)))}function Hd(){var e=Eo.current;return e===null?!0:(Z&4194048)===Z?Do===null:(Z&62914560)===Z||Z&536870912?e===Do:!1}function Ud(){var e=C.H;return C.H=uc,e===null?uc:e}function Wd(){var e=C.A;return C.A=Yu,e}function Gd(){id=4,ed||(Z&4194048)!==Z&&Eo.current!==null||(td=!0),!(ad&134217727)&&!(od&134217727)||Zu===null||Ld(Zu,Z,cd,!1)}function Kd(e,t,n){var r=Y;Y|=2;var i=Ud(),a=Wd();(Zu!==e||Z!==t)&&(gd=null,Bd(e,t)),t=!1;var o=id;a:do try{if(Qu!==0&&X!==null){var s=X,c=$u;switch(Qu){case 8:zd(),o=6;break a;case 3:case 2:case 9:case 6:Eo.current===null&&(t=!0);var l=Qu;if(Qu=0,$u=null,Qd(e,s,c,l),n&&td){o=0;break a}break;default:l=Qu,Qu=0,$u=null,Qd(e,s,c,l)}}qd(),o=id;break}catch(t){Vd(e,t)}while(1);return t&&e.shellSuspendCounter++,fa=da=null,Y=r,C.H=i,C.A=a,X===null&&(Zu=null,Z=0,yi()),o}function qd(){for(;X!==null;)Xd(X)}function Jd(e,t){var n=Y;Y|=2;var r=Ud(),a=Wd();Zu!==e||Z!==t?(gd=null,hd=Qe()+500,Bd(e,t)):td=_t(e,t);a:do try{if(Qu!==0&&X!==null){t=X;var o=$u;b:switch(Qu){case 1:Qu=0,$u=null,Qd(e,t,o,1);break;case 2:case 9:if(Ja(o)){Qu=0,$u=null,Zd(t);break}t=function(){Qu!==2&&Qu!==9||Zu!==e||(Qu=7),Ef(e)},o.then(t,t);break a;case 3:Qu=7;break a;case 4:Qu=5;break a;case 7:Ja(o)?(Qu=0,$u=null,Zd(t)):(Qu=0,$u=null,Qd(e,t,o,7));break;case 5:var s=null;switch(X.tag){case 26:s=X.memoizedState;case 5:case 27:var c=X;if(s?Ym(s):c.stateNode.complete){Qu=0,$u=null;var l=c.sibling;if(l!==null)X=l;else{var u=c.return;u===null?X=null:(X=u,$d(u))}break b}}Qu=0,$u=null,Qd(e,t,o,5);break;case 6:Qu=0,$u=null,Qd(e,t,o,6);break;case 8:zd(),id=6;break a;default:throw Error(i(462))}}Yd();break}catch(t){Vd(e,t)}while(1);return fa=da=null,C.H=r,C.A=a,Y=n,X===null?(Zu=null,Z=0,yi(),id):0}function Yd(){for(;X!==null&&!Xe();)Xd(X)}function Xd(e){var t=cl(e.alternate,e,rd);e.memoizedProps=e.pendingProps,t===null?$d(e):X=t}function Zd(e){var t=e,n=t.alternate;switch(t.tag){case 15:case 0:t=Hc(n,t,t.pendingProps,t.type,void 0,Z);break;case 11:t=Hc(n,t,t.pendingProps,t.type.render,t.ref,Z);break;case 5:es(t);var r=t;r===Qi&&(G?(aa(r),r.tag===5&&r.stateNode!=null&&($i=r.stateNode)):(aa(r),G=!0));default:_l(n,t),t=X=Ai(t,rd),t=cl(n,t,rd)}e.memoizedProps=e.pendingProps,t===null?$d(e):X=t}function Qd(e,t,n,r){fa=da=null,es(t),eo=null,to=0;var i=t.return;try{if(Dc(e,i,t,n,Z)){id=1,Sc(e,Li(n,e.current)),X=null;return}}catch(t){if(i!==null)throw X=i,t;id=1,Sc(e,Li(n,e.current)),X=null;return}t.flags&32768?(G||r===1?e=!0:td||Z&536870912?e=!1:(ed=e=!0,(r===2||r===9||r===3||r===6)&&(r=Eo.current,r!==null&&r.tag===13&&(r.flags|=16384))),ef(t,e)):$d(t)}function $d(e){var t=e;do{if(t.flags&32768){ef(t,ed);return}e=t.return;var n=hl(t.alternate,t,rd);if(n!==null){X=n;return}if(t=t.sibling,t!==null){X=t;return}X=t=e}while(t!==null);id===0&&(id=5)}function ef(e,t){do{var n=gl(e.alternate,e);if(n!==null){n.flags&=32767,X=n;return}if(n=e.return,n!==null&&(n.flags|=32768,n.subtreeFlags=0,n.deletions=null),!t&&(e=e.sibling,e!==null)){X=e;return}X=e=n}while(e!==null);id=6,X=null}function tf(e,t,n,r,a,o,s,c,l,u,d,f){e.cancelPendingCommit=null;do uf();while(vd!==0);if(Y&6)throw Error(i(327));if(t!==null){if(t===e.current)throw Error(i(177));e===Zu&&(X=Zu=null,Z=0),bd=t,yd=e,xd=n,Cd=a,wd=r,nf(e,t,n,s,c,l,f)}}function nf(e,t,n,r,i,a,o){var s=t.lanes|t.childLanes;if(Sd=s,s|=vi,St(e,n,s,r,i,a),Ed=null,(n&335544064)===n?(Dd=ja(e),r=10262):(Dd=null,r=10256),(t.subtreeFlags&r)!==0||(t.flags&r)!==0?(e.callbackNode=null,e.callbackPriority=0,yf(nt,function(){return df(),null})):(e.callbackNode=null,e.callbackPriority=0),Il=!1,r=!!(t.flags&13878),t.subtreeFlags&13878||r){r=C.T,C.T=null,i=w.p,w.p=2,a=Y,Y|=4;try{uu(e,t,n)}finally{Y=a,w.p=i,C.T=r}}vd=1,Il?Td=Mp(o,e.containerInfo,Dd,of,sf,af,cf,df,rf,null,null):(of(),sf(),cf())}function rf(e){if(vd!==0){var t=yd.onRecoverableError;t(e,{componentStack:null})}}function af(){vd===3&&(vd=0,ju(bd,yd),vd=4)}function of(){if(vd===1){vd=0;var e=yd,t=bd,n=xd,r=!!(t.flags&13878);if(t.subtreeFlags&13878||r){r=C.T,C.T=null;var i=w.p;w.p=2;var a=Y;Y|=4;try{su=cu=!1,Du(t,e,n),n=cp;var o=F(e.containerInfo),s=n.focusedElem,c=n.selectionRange;if(o!==s&&s&&s.ownerDocument&&P(s.ownerDocument.documentElement,s)){if(c!==null&&I(s)){var l=c.start,u=c.end;if(u===void 0&&(u=l),`selectionStart`in s)s.selectionStart=l,s.selectionEnd=Math.min(u,s.value.length);else{var d=s.ownerDocument||document,f=d&&d.defaultView||window;if(f.getSelection){var p=f.getSelection(),m=s.textContent.length,h=Math.min(c.start,m),g=c.end===void 0?h:Math.min(c.end,m);!p.extend&&h>g&&(o=g,g=h,h=o);var _=N(s,h),v=N(s,g);if(_&&v&&(p.rangeCount!==1||p.anchorNode!==_.node||p.anchorOffset!==_.offset||p.focusNode!==v.node||p.focusOffset!==v.offset)){var y=d.createRange();y.setStart(_.node,_.offset),p.removeAllRanges(),h>g?(p.addRange(y),p.extend(v.node,v.offset)):(y.setEnd(v.node,v.offset),p.addRange(y))}}}}for(d=[],p=s;p=p.parentNode;)p.nodeType===1&&d.push({element:p,left:p.scrollLeft,top:p.scrollTop});for(typeof s.focus==`function`&&s.focus(),s=0;s<d.length;s++){var b=d[s];b.element.scrollLeft=b.left,b.element.scrollTop=b.top}}gh=!!sp,cp=sp=null}finally{Y=a,w.p=i,C.T=r}}e.current=t,vd=2}}function sf(){if(vd===2){vd=0;var e=yd,t=bd,n=!!(t.flags&8772);if(t.subtreeFlags&8772||n){n=C.T,C.T=null;var r=w.p;w.p=2;var i=Y;Y|=4;try{fu(e,t.alternate,t)}finally{Y=i,w.p=r,C.T=n}}vd=3}}function cf(){if(vd===4||vd===3){vd=0;var e=Td;Td=null,Ze();var t=yd,n=bd,r=xd,i=wd,a=(r&335544064)===r?10262:10256;if((n.subtreeFlags&a)!==0||(n.flags&a)!==0?vd=5:(vd=0,bd=yd=null,lf(t,t.pendingLanes)),a=t.pendingLanes,a===0&&(_d=null),Dt(r),n=n.stateNode,ct&&typeof ct.onCommitFiberRoot==`function`)try{ct.onCommitFiberRoot(st,n,void 0,(n.current.flags&128)==128)}catch{}if(i!==null){n=C.T,a=w.p,w.p=2,C.T=null;try{for(var o=t.onRecoverableError,s=0;s<i.length;s++){var c=i[s];o(c.value,{componentStack:c.stack})}}finally{C.T=n,w.p=a}}if(i=Ed,o=Dd,Dd=null,i!==null&&(Ed=null,o===null&&(o=[]),e!==null))for(c=0;c<i.length;c++)n=(0,i[c])(o),n!==void 0&&e.finished.finally(n);xd&3&&uf(),Ef(t),a=t.pendingLanes,r&261930&&a&42?t===kd?Od++:(Od=0,kd=t):(Od=0,kd=null),Df(0,!1)}}function lf(e,t){(e.pooledCacheLanes&=t)===0&&(t=e.pooledCache,t!=null&&(e.pooledCache=null,Oa(t)))}function uf(){return Td!==null&&(Td.skipTransition(),Td=null),of(),sf(),cf(),df()}function df(){if(vd!==5)return!1;var e=yd,t=Sd;Sd=0;var n=Dt(xd),r=C.T,a=w.p;try{w.p=32>n?32:n,C.T=null,n=Cd,Cd=null;var o=yd,s=xd;if(vd=0,bd=yd=null,xd=0,Y&6)throw Error(i(331));var c=Y;if(Y|=4,Ku(o.current),Ru(o,o.current,s,n),Y=c,Df(0,!1),ct&&typeof ct.onPostCommitFiberRoot==`function`)try{ct.onPostCommitFiberRoot(st,o)}catch{}return!0}finally{w.p=a,C.T=r,lf(e,t)}}function ff(e,t,n){t=Li(n,t),t=wc(e.stateNode,t,2),e=po(e,t,2),e!==null&&(xt(e,2),Ef(e))}function pf(e,t,n){if(e.tag===3)ff(e,e,n);else for(;t!==null;){if(t.tag===3){ff(t,e,n);break}if(t.tag===1){var r=t.stateNode;if(typeof t.type.getDerivedStateFromError==`function`||typeof r.componentDidCatch==`function`&&(_d===null||!_d.has(r))){e=Li(n,e),n=Tc(2),r=po(t,n,2),r!==null&&(Ec(n,r,t,e),xt(r,2),Ef(r));break}}t=t.return}}function mf(e,t,n){var r=e.pingCache;if(r===null){r=e.pingCache=new Xu;var i=new Set;r.set(t,i)}else i=r.get(t),i===void 0&&(i=new Set,r.set(t,i));i.has(n)||(nd=!0,i.add(n),e=hf.bind(null,e,t,n),t.then(e,e))}function hf(e,t,n){var r=e.pingCache;r!==null&&r.delete(t),e.pingedLanes|=e.suspendedLanes&n,e.warmLanes&=~n,Zu===e&&(Z&n)===n&&(id===4||id===3&&(Z&62914560)===Z&&300>Qe()-pd?Y&2?sd|=n:Bd(e,0):sd|=n,ld===Z&&(ld=0)),Ef(e)}function gf(e,t){t===0&&(t=yt()),e=Si(e,t),e!==null&&(xt(e,t),Ef(e))}function _f(e){var t=e.memoizedState,n=0;t!==null&&(n=t.retryLane),gf(e,n)}function vf(e,t){var n=0;switch(e.tag){case 31:case 13:var r=e.stateNode,a=e.memoizedState;a!==null&&(n=a.retryLane);break;case 19:r=e.stateNode;break;case 22:r=e.stateNode._retryCache;break;default:throw Error(i(314))}r!==null&&r.delete(t),gf(e,n)}function yf(e,t){return Je(e,t)}var bf=null,xf=null,Sf=!1,Cf=!1,wf=!1,Tf=0;function Ef(e){e!==xf&&e.next===null&&(xf===null?bf=xf=e:xf=xf.next=e),Cf=!0,Sf||(Sf=!0,Nf())}function Df(e,t){if(!wf&&Cf){wf=!0;do for(var n=!1,r=bf;r!==null;){if(!t){if(e!==0){var i=r.pendingLanes;if(i===0)var a=0;else{var o=r.suspendedLanes,s=r.pingedLanes;a=(1<<31-ut(42|e)+1)-1,a&=i&~(o&~s),a=a&201326741?a&201326741|1:a?a|2:0}a!==0&&(n=!0,Mf(r,a))}else a=Z,a=gt(r,r===Zu?a:0,r.cancelPendingCommit!==null||r.timeoutHandle!==-1),!(a&3)||_t(r,a)||(n=!0,Mf(r,a))}r=r.next}while(n);wf=!1}}function Of(){kf()}function kf(){Cf=Sf=!1;var e=0;Tf!==0&&hp()&&(e=Tf);for(var t=Qe(),n=null,r=bf;r!==null;){var i=r.next,a=Af(r,t);a===0?(r.next=null,n===null?bf=i:n.next=i,i===null&&(xf=n)):(n=r,(e!==0||a&3)&&(Cf=!0)),r=i}vd!==0&&vd!==5||Df(e,!1),Tf!==0&&(Tf=0)}function Af(e,t){for(var n=e.suspendedLanes,r=e.pingedLanes,i=e.expirationTimes,a=e.pendingLanes&-62914561;0<a;){var o=31-ut(a),s=1<<o,c=i[o];c===-1?((s&n)===0||(s&r)!==0)&&(i[o]=k(s,t)):c<=t&&(e.expiredLanes|=s),a&=~s}if(t=Zu,n=Z,n=gt(e,e===t?n:0,e.cancelPendingCommit!==null||e.timeoutHandle!==-1),r=e.callbackNode,n===0||e===t&&(Qu===2||Qu===9)||e.cancelPendingCommit!==null)return r!==null&&r!==null&&Ye(r),e.callbackNode=null,e.callbackPriority=0;if(!(n&3)||_t(e,n)){if(t=n&-n,t===e.callbackPriority)return t;switch(r!==null&&Ye(r),Dt(n)){case 2:case 8:n=tt;break;case 32:n=nt;break;case 268435456:n=it;break;default:n=nt}return r=jf.bind(null,e),n=Je(n,r),e.callbackPriority=t,e.callbackNode=n,t}return r!==null&&r!==null&&Ye(r),e.callbackPriority=2,e.callbackNode=null,2}function jf(e,t){if(vd!==0&&vd!==5)return e.callbackNode=null,e.callbackPriority=0,null;var n=e.callbackNode;if(uf()&&e.callbackNode!==n)return null;var r=Z;return r=gt(e,e===Zu?r:0,e.cancelPendingCommit!==null||e.timeoutHandle!==-1),r===0?null:(Pd(e,r,t),Af(e,Qe()),e.callbackNode!=null&&e.callbackNode===n?jf.bind(null,e):null)}function Mf(e,t){if(uf())return null;Pd(e,t,!0)}function Nf(){bp(function(){Y&6?Je(et,Of):kf()})}function Pf(){if(Tf===0){var e=Pa;e===0&&(e=mt,mt<<=1,!(mt&261888)&&(mt=256)),Tf=e}return Tf}function Ff(e){return e==null||typeof e==`symbol`||typeof e==`boolean`?null:typeof e==`function`?e:En(e)}function If(e,t,n,r,i){if(t===`submit`&&n&&n.stateNode===i){var a=Ff((i[Mt]||null).action),o=r.submitter;o&&(t=(t=o[Mt]||null)?Ff(t.formAction):o.getAttribute(`formAction`),t!==null&&(a=t,o=null));var s=new Jn(`action`,`action`,null,r,i);e.push({event:s,listeners:[{instance:null,listener:function(){if(r.defaultPrevented){if(Tf!==0){var e=new FormData(i,o);Xs(n,{pending:!0,data:e,method:i.method,action:a},null,e)}}else typeof a==`function`&&(s.preventDefault(),e=new FormData(i,o),Xs(n,{pending:!0,data:e,method:i.method,action:a},a,e))},currentTarget:i}]})}}for(var Lf=0;Lf<fi.length;Lf++){var Rf=fi[Lf];H(Rf.toLowerCase(),`on`+(Rf[0].toUpperCase()+Rf.slice(1)))}H(B,`onAnimationEnd`),H(oi,`onAnimationIteration`),H(si,`onAnimationStart`),H(`dblclick`,`onDoubleClick`),H(`focusin`,`onFocus`),H(`focusout`,`onBlur`),H(ci,`onTransitionRun`),H(li,`onTransitionStart`),H(ui,`onTransitionCancel`),H(di,`onTransitionEnd`),Xt(`onMouseEnter`,[`mouseout`,`mouseover`]),Xt(`onMouseLeave`,[`mouseout`,`mouseover`]),Xt(`onPointerEnter`,[`pointerout`,`pointerover`]),Xt(`onPointerLeave`,[`pointerout`,`pointerover`]),Yt(`onChange`,`change click focusin focusout input keydown keyup selectionchange`.split(` `)),Yt(`onSelect`,`focusout contextmenu dragend focusin keydown keyup mousedown mouseup selectionchange`.split(` `)),Yt(`onBeforeInput`,[`compositionend`,`keypress`,`textInput`,`paste`]),Yt(`onCompositionEnd`,`compositionend focusout keydown keypress keyup mousedown`.split(` `)),Yt(`onCompositionStart`,`compositionstart focusout keydown keypress keyup mousedown`.split(` `)),Yt(`onCompositionUpdate`,`compositionupdate focusout keydown keypress keyup mousedown`.split(` `));var zf=`abort canplay canplaythrough durationchange emptied encrypted ended error loadeddata loadedmetadata loadstart pause play playing progress ratechange resize seeked seeking stalled suspend timeupdate volumechange waiting`.split(` `),Bf=new Set(`beforetoggle cancel close invalid load scroll scrollend toggle`.split(` `).concat(zf));function Vf(e,t){t=!!(t&4);for(var n=0;n<e.length;n++){var r=e[n],i=r.event;r=r.listeners;a:{var a=void 0;if(t)for(var o=r.length-1;0<=o;o--){var s=r[o],c=s.instance,l=s.currentTarget;if(s=s.listener,c!==a&&i.isPropagationStopped())break a;a=s,i.currentTarget=l;try{a(i)}catch(e){hi(e)}i.currentTarget=null,a=c}else for(o=0;o<r.length;o++){if(s=r[o],c=s.instance,l=s.currentTarget,s=s.listener,c!==a&&i.isPropagationStopped())break a;a=s,i.currentTarget=l;try{a(i)}catch(e){hi(e)}i.currentTarget=null,a=c}}}}function Q(e,t){var n=t[Pt];n===void 0&&(n=t[Pt]=new Set);var r=e+`__bubble`;n.has(r)||(Gf(t,e,2,!1),n.add(r))}function Hf(e,t,n){var r=0;t&&(r|=4),Gf(n,e,r,t)}var Uf=`_reactListening`+Math.random().toString(36).slice(2);function Wf(e){if(!e[Uf]){e[Uf]=!0,qt.forEach(function(t){t!==`selectionchange`&&(Bf.has(t)||Hf(t,!1,e),Hf(t,!0,e))});var t=e.nodeType===9?e:e.ownerDocument;t===null||t[Uf]||(t[Uf]=!0,Hf(`selectionchange`,!1,t))}}function Gf(e,t,n,r){switch(Ch(t)){case 2:var i=_h;break;case 8:i=vh;break;default:i=yh}n=i.bind(null,t,n,e),i=void 0,!Ln||t!==`touchstart`&&t!==`touchmove`&&t!==`wheel`||(i=!0),r?i===void 0?e.addEventListener(t,n,!0):e.addEventListener(t,n,{capture:!0,passive:i}):i===void 0?e.addEventListener(t,n,!1):e.addEventListener(t,n,{passive:i})}function Kf(e,t,n,r,i){var a=r;if(!(t&1)&&!(t&2)&&r!==null)a:for(;;){if(r===null)return;var s=r.tag;if(s===3||s===4){var c=r.stateNode.containerInfo;if(c===i)break;if(s===4)for(s=r.return;s!==null;){var l=s.tag;if((l===3||l===4)&&s.stateNode.containerInfo===i)return;s=s.return}for(;c!==null;){if(s=Vt(c),s===null)return;if(l=s.tag,l===5||l===6||l===26||l===27){r=a=s;continue a}c=c.parentNode}}r=r.return}Pn(function(){var r=a,i=kn(n),s=[];a:{var c=V.get(e);if(c!==void 0){var l=Jn,u=e;switch(e){case`keypress`:if(Un(n)===0)break a;case`keydown`:case`keyup`:l=fr;break;case`focusin`:u=`focus`,l=rr;break;case`focusout`:u=`blur`,l=rr;break;case`beforeblur`:case`afterblur`:l=rr;break;case`click`:if(n.button===2)break a;case`auxclick`:case`dblclick`:case`mousedown`:case`mousemove`:case`mouseup`:case`mouseout`:case`mouseover`:case`contextmenu`:l=tr;break;case`drag`:case`dragend`:case`dragenter`:case`dragexit`:case`dragleave`:case`dragover`:case`dragstart`:case`drop`:l=nr;break;case`touchcancel`:case`touchend`:case`touchmove`:case`touchstart`:l=hr;break;case B:case oi:case si:l=ir;break;case di:l=gr;break;case`scroll`:case`scrollend`:l=Xn;break;case`wheel`:l=_r;break;case`copy`:case`cut`:case`paste`:l=ar;break;case`gotpointercapture`:case`lostpointercapture`:case`pointercancel`:case`pointerdown`:case`pointermove`:case`pointerout`:case`pointerover`:case`pointerup`:l=pr;break;case`submit`:l=mr;break;case`toggle`:case`beforetoggle`:l=vr}var d=!!(t&4),f=!d&&(e===`scroll`||e===`scrollend`),p=d?c===null?null:c+`Capture`:c;d=[];for(var m=r,h;m!==null;){var g=m;if(h=g.stateNode,g=g.tag,g!==5&&g!==26&&g!==27||h===null||p===null||(g=Fn(m,p),g!=null&&d.push(qf(m,g,h))),f)break;m=m.return}0<d.length&&(c=new l(c,u,null,n,i),s.push({event:c,listeners:d}))}}if(!(t&7)){a:{if(l=e===`mouseover`||e===`pointerover`,c=e===`mouseout`||e===`pointerout`,l&&n!==On&&(u=n.relatedTarget||n.fromElement)&&(Vt(u)||u[Nt]))break a;(c||l)&&(u=i.window===i?i:(l=i.ownerDocument)?l.defaultView||l.parentWindow:window,c?(l=n.relatedTarget||n.toElement,c=r,l=l?Vt(l):null,l!==null&&(f=o(l),d=l.tag,l!==f||d!==5&&d!==27&&d!==6)&&(l=null)):(c=null,l=r),c!==l&&(d=tr,g=`onMouseLeave`,p=`onMouseEnter`,m=`mouse`,(e===`pointerout`||e===`pointerover`)&&(d=pr,g=`onPointerLeave`,p=`onPointerEnter`,m=`pointer`),f=c==null?u:Ut(c),h=l==null?u:Ut(l),u=new d(g,m+`leave`,c,n,i),u.target=f,u.relatedTarget=h,g=null,Vt(i)===r&&(d=new d(p,m+`enter`,l,n,i),d.target=h,d.relatedTarget=f,g=d),f=g,d=c&&l?ie(c,l,Yf):null,c!==null&&Xf(s,u,c,d,!1),l!==null&&f!==null&&Xf(s,f,l,d,!0)))}a:{if(c=r?Ut(r):window,l=c.nodeName&&c.nodeName.toLowerCase(),l===`select`||l===`input`&&c.type===`file`)var _=Rr;else if(Mr(c)){if(j)_=qr;else{_=Gr;var v=Wr}}else l=c.nodeName,!l||l.toLowerCase()!==`input`||c.type!==`checkbox`&&c.type!==`radio`?r&&Cn(r.elementType)&&(_=Rr):_=Kr;if(_&&=_(e,r)){Nr(s,_,n,i);break a}v&&v(e,c,r)}switch(v=r?Ut(r):window,e){case`focusin`:(Mr(v)||v.contentEditable===`true`)&&(R=v,Qr=r,$r=null);break;case`focusout`:$r=Qr=R=null;break;case`mousedown`:ei=!0;break;case`contextmenu`:case`mouseup`:case`dragend`:ei=!1,z(s,n,i);break;case`selectionchange`:if(L)break;case`keydown`:case`keyup`:z(s,n,i)}var y;if(br)b:{switch(e){case`compositionstart`:var b=`onCompositionStart`;break b;case`compositionend`:b=`onCompositionEnd`;break b;case`compositionupdate`:b=`onCompositionUpdate`;break b}b=void 0}else Or?Er(e,n)&&(b=`onCompositionEnd`):e===`keydown`&&n.keyCode===229&&(b=`onCompositionStart`);b&&(Cr&&n.locale!==`ko`&&(Or||b!==`onCompositionStart`?b===`onCompositionEnd`&&Or&&(y=Hn()):(zn=i,Bn=`value`in zn?zn.value:zn.textContent,Or=!0)),v=Jf(r,b),0<v.length&&(b=new or(b,e,null,n,i),s.push({event:b,listeners:v}),y?b.data=y:(y=Dr(n),y!==null&&(b.data=y)))),(y=Sr?kr(e,n):Ar(e,n))&&(b=Jf(r,`onBeforeInput`),0<b.length&&(v=new or(`onBeforeInput`,`beforeinput`,null,n,i),s.push({event:v,listeners:b}),v.data=y)),If(s,e,r,n,i)}Vf(s,t)})}function qf(e,t,n){return{instance:e,listener:t,currentTarget:n}}function Jf(e,t){for(var n=t+`Capture`,r=[];e!==null;){var i=e,a=i.stateNode;if(i=i.tag,i!==5&&i!==26&&i!==27||a===null||(i=Fn(e,n),i!=null&&r.unshift(qf(e,i,a)),i=Fn(e,t),i!=null&&r.push(qf(e,i,a))),e.tag===3)return r;e=e.return}return[]}function Yf(e){if(e===null)return null;do e=e.return;while(e&&e.tag!==5&&e.tag!==27);return e||null}function Xf(e,t,n,r,i){for(var a=t._reactName,o=[];n!==null&&n!==r;){var s=n,c=s.alternate,l=s.stateNode;if(s=s.tag,c!==null&&c===r)break;s!==5&&s!==26&&s!==27||l===null||(c=l,i?(l=Fn(n,a),l!=null&&o.unshift(qf(n,l,c))):i||(l=Fn(n,a),l!=null&&o.push(qf(n,l,c)))),n=n.return}o.length!==0&&e.push({event:t,listeners:o})}var Zf=/\r\n?/g,Qf=/\u0000|\uFFFD/g;function $f(e){return(typeof e==`string`?e:``+e).replace(Zf,`
`).replace(Qf,``)}function ep(e,t){return t=$f(t),$f(e)===t}function $(e,t,n,r,a,o){switch(n){case`children`:if(typeof r==`string`)t===`body`||t===`textarea`&&r===``||yn(e,r);else if(typeof r==`number`||typeof r==`bigint`)t!==`body`&&yn(e,``+r);else return;break;case`className`:rn(e,`class`,r);break;case`tabIndex`:rn(e,`tabindex`,r);break;case`dir`:case`role`:case`viewBox`:case`width`:case`height`:rn(e,n,r);break;case`style`:Sn(e,r,o);return;case`data`:if(t!==`object`){rn(e,`data`,r);break}case`src`:case`href`:if(r===``&&(t!==`a`||n!==`href`)||r==null||typeof r==`function`||typeof r==`symbol`||typeof r==`boolean`){e.removeAttribute(n);break}r=En(r),e.setAttribute(n,r);break;case`action`:case`formAction`:if(typeof r==`function`){e.setAttribute(n,`javascript:throw new Error('A React form was unexpectedly submitted. If you called form.submit() manually, consider using form.requestSubmit() instead. If you\\'re trying to use event.stopPropagation() in a submit event handler, consider also calling event.preventDefault().')`);break}if(typeof o==`function`&&(n===`formAction`?(t!==`input`&&$(e,t,`name`,a.name,a,null),$(e,t,`formEncType`,a.formEncType,a,null),$(e,t,`formMethod`,a.formMethod,a,null),$(e,t,`formTarget`,a.formTarget,a,null)):($(e,t,`encType`,a.encType,a,null),$(e,t,`method`,a.method,a,null),$(e,t,`target`,a.target,a,null))),r==null||typeof r==`symbol`||typeof r==`boolean`){e.removeAttribute(n);break}r=En(r),e.setAttribute(n,r);break;case`onClick`:r!=null&&(e.onclick=Dn);return;case`onScroll`:r!=null&&Q(`scroll`,e);return;case`onScrollEnd`:r!=null&&Q(`scrollend`,e);return;case`dangerouslySetInnerHTML`:if(r!=null){if(typeof r!=`object`||!(`__html`in r))throw Error(i(61));if(n=r.__html,n!=null){if(a.children!=null)throw Error(i(60));o?.__html!==n&&(e.innerHTML=n)}}break;case`multiple`:e.multiple=r&&typeof r!=`function`&&typeof r!=`symbol`;break;case`muted`:e.muted=r&&typeof r!=`function`&&typeof r!=`symbol`;break;case`suppressContentEditableWarning`:case`suppressHydrationWarning`:case`defaultValue`:case`defaultChecked`:case`innerHTML`:case`ref`:break;case`autoFocus`:break;case`xlinkHref`:if(r==null||typeof r==`function`||typeof r==`boolean`||typeof r==`symbol`){e.removeAttribute(`xlink:href`);break}n=En(r),e.setAttributeNS(`http://www.w3.org/1999/xlink`,`xlink:href`,n);break;case`contentEditable`:case`spellCheck`:case`draggable`:case`value`:case`autoReverse`:case`externalResourcesRequired`:case`focusable`:case`preserveAlpha`:r!=null&&typeof r!=`function`&&typeof r!=`symbol`?e.setAttribute(n,r):e.removeAttribute(n);break;case`inert`:case`allowFullScreen`:case`async`:case`autoPlay`:case`controls`:case`credentialless`:case`default`:case`defer`:case`disabled`:case`disablePictureInPicture`:case`disableRemotePlayback`:case`formNoValidate`:case`hidden`:case`loop`:case`noModule`:case`noValidate`:case`open`:case`playsInline`:case`readOnly`:case`required`:case`reversed`:case`scoped`:case`seamless`:case`itemScope`:r&&typeof r!=`function`&&typeof r!=`symbol`?e.setAttribute(n,``):e.removeAttribute(n);break;case`capture`:case`download`:!0===r?e.setAttribute(n,``):!1!==r&&r!=null&&typeof r!=`function`&&typeof r!=`symbol`?e.setAttribute(n,r):e.removeAttribute(n);break;case`cols`:case`rows`:case`size`:case`span`:r!=null&&typeof r!=`function`&&typeof r!=`symbol`&&!isNaN(r)&&1<=r?e.setAttribute(n,r):e.removeAttribute(n);break;case`rowSpan`:case`start`:r==null||typeof r==`function`||typeof r==`symbol`||isNaN(r)?e.removeAttribute(n):e.setAttribute(n,r);break;case`popover`:Q(`beforetoggle`,e),Q(`toggle`,e),nn(e,`popover`,r);break;case`xlinkActuate`:an(e,`http://www.w3.org/1999/xlink`,`xlink:actuate`,r);break;case`xlinkArcrole`:an(e,`http://www.w3.org/1999/xlink`,`xlink:arcrole`,r);break;case`xlinkRole`:an(e,`http://www.w3.org/1999/xlink`,`xlink:role`,r);break;case`xlinkShow`:an(e,`http://www.w3.org/1999/xlink`,`xlink:show`,r);break;case`xlinkTitle`:an(e,`http://www.w3.org/1999/xlink`,`xlink:title`,r);break;case`xlinkType`:an(e,`http://www.w3.org/1999/xlink`,`xlink:type`,r);break;case`xmlBase`:an(e,`http://www.w3.org/XML/1998/namespace`,`xml:base`,r);break;case`xmlLang`:an(e,`http://www.w3.org/XML/1998/namespace`,`xml:lang`,r);break;case`xmlSpace`:an(e,`http://www.w3.org/XML/1998/namespace`,`xml:space`,r);break;case`is`:nn(e,`is`,r);break;case`innerText`:case`textContent`:return;default:if(!(2<n.length)||n[0]!==`o`&&n[0]!==`O`||n[1]!==`n`&&n[1]!==`N`)n=wn.get(n)||n,nn(e,n,r);else return}A=!0}function tp(e,t,n,r,a,o){switch(n){case`style`:Sn(e,r,o);return;case`dangerouslySetInnerHTML`:if(r!=null){if(typeof r!=`object`||!(`__html`in r))throw Error(i(61));if(n=r.__html,n!=null){if(a.children!=null)throw Error(i(60));o?.__html!==n&&(e.innerHTML=n)}}break;case`children`:if(typeof r==`string`)yn(e,r);else if(typeof r==`number`||typeof r==`bigint`)yn(e,``+r);else return;break;case`onScroll`:r!=null&&Q(`scroll`,e);return;case`onScrollEnd`:r!=null&&Q(`scrollend`,e);return;case`onClick`:r!=null&&(e.onclick=Dn);return;case`suppressContentEditableWarning`:case`suppressHydrationWarning`:case`innerHTML`:case`ref`:return;case`innerText`:case`textContent`:return;default:if(!Jt.hasOwnProperty(n))a:{if(n[0]===`o`&&n[1]===`n`&&(a=n.endsWith(`Capture`),o=n.slice(2,a?n.length-7:void 0),t=e[Mt]||null,t=t==null?null:t[n],typeof t==`function`&&e.removeEventListener(o,t,a),typeof r==`function`)){typeof t!=`function`&&t!==null&&(n in e?e[n]=null:e.hasAttribute(n)&&e.removeAttribute(n)),e.addEventListener(o,r,a);break a}A=!0,n in e?e[n]=r:!0===r?e.setAttribute(n,``):nn(e,n,r)}return}A=!0}function np(e,t,n){switch(t){case`div`:case`span`:case`svg`:case`path`:case`a`:case`g`:case`p`:case`li`:break;case`img`:Q(`error`,e),Q(`load`,e);var r=!1,a=!1,o;for(o in n)if(n.hasOwnProperty(o)){var s=n[o];if(s!=null)switch(o){case`src`:r=!0;break;case`srcSet`:a=!0;break;case`children`:case`dangerouslySetInnerHTML`:throw Error(i(137,t));default:$(e,t,o,s,n,null)}}a&&$(e,t,`srcSet`,n.srcSet,n,null),r&&$(e,t,`src`,n.src,n,null);return;case`input`:Q(`invalid`,e);var c=o=s=a=null,l=null,u=null;for(r in n)if(n.hasOwnProperty(r)){var d=n[r];if(d!=null)switch(r){case`name`:a=d;break;case`type`:s=d;break;case`checked`:l=d;break;case`defaultChecked`:u=d;break;case`value`:o=d;break;case`defaultValue`:c=d;break;case`children`:case`dangerouslySetInnerHTML`:if(d!=null)throw Error(i(137,t));break;default:$(e,t,r,d,n,null)}}mn(e,o,c,l,u,s,a,!1);return;case`select`:for(a in Q(`invalid`,e),r=s=o=null,n)if(n.hasOwnProperty(a)&&(c=n[a],c!=null))switch(a){case`value`:o=c;break;case`defaultValue`:s=c;break;case`multiple`:r=c;default:$(e,t,a,c,n,null)}t=o,n=s,e.multiple=!!r,t==null?n!=null&&gn(e,!!r,n,!0):gn(e,!!r,t,!1);return;case`textarea`:for(s in Q(`invalid`,e),o=a=r=null,n)if(n.hasOwnProperty(s)&&(c=n[s],c!=null))switch(s){case`value`:r=c;break;case`defaultValue`:a=c;break;case`children`:o=c;break;case`dangerouslySetInnerHTML`:if(c!=null)throw Error(i(91));break;default:$(e,t,s,c,n,null)}vn(e,r,a,o);return;case`option`:for(l in n)if(n.hasOwnProperty(l)&&(r=n[l],r!=null))switch(l){case`selected`:e.selected=r&&typeof r!=`function`&&typeof r!=`symbol`;break;default:$(e,t,l,r,n,null)}return;case`dialog`:Q(`beforetoggle`,e),Q(`toggle`,e),Q(`cancel`,e),Q(`close`,e);break;case`iframe`:case`object`:Q(`load`,e);break;case`video`:case`audio`:for(r=0;r<zf.length;r++)Q(zf[r],e);break;case`image`:Q(`error`,e),Q(`load`,e);break;case`details`:Q(`toggle`,e);break;case`embed`:case`source`:case`link`:Q(`error`,e),Q(`load`,e);case`area`:case`base`:case`br`:case`col`:case`hr`:case`keygen`:case`meta`:case`param`:case`track`:case`wbr`:case`menuitem`:for(u in n)if(n.hasOwnProperty(u)&&(r=n[u],r!=null))switch(u){case`children`:case`dangerouslySetInnerHTML`:throw Error(i(137,t));default:$(e,t,u,r,n,null)}return;default:if(Cn(t)){for(d in n)n.hasOwnProperty(d)&&(r=n[d],r!==void 0&&tp(e,t,d,r,n,void 0));return}}for(c in n)n.hasOwnProperty(c)&&(r=n[c],r!=null&&$(e,t,c,r,n,null))}var rp={};function ip(e,t,n,r){switch(t){case`div`:case`span`:case`svg`:case`path`:case`a`:case`g`:case`p`:case`li`:break;case`input`:var a=null,o=null,s=null,c=null,l=null,u=null,d=null;for(m in n){var f=n[m];if(n.hasOwnProperty(m)&&f!=null)switch(m){case`checked`:break;case`value`:break;case`defaultValue`:l=f;default:r.hasOwnProperty(m)||$(e,t,m,null,r,f)}}for(var p in r){var m=r[p];if(f=n[p],r.hasOwnProperty(p)&&(m!=null||f!=null))switch(p){case`type`:m!==f&&(A=!0),o=m;break;case`name`:m!==f&&(A=!0),a=m;break;case`checked`:m!==f&&(A=!0),u=m;break;case`defaultChecked`:m!==f&&(A=!0),d=m;break;case`value`:m!==f&&(A=!0),s=m;break;case`defaultValue`:m!==f&&(A=!0),c=m;break;case`children`:case`dangerouslySetInnerHTML`:if(m!=null)throw Error(i(137,t));break;default:m!==f&&$(e,t,p,m,r,f)}}pn(e,s,c,l,u,d,o,a);return;case`select`:for(o in m=s=c=p=null,n)if(l=n[o],n.hasOwnProperty(o)&&l!=null)switch(o){case`value`:break;case`multiple`:m=l;default:r.hasOwnProperty(o)||$(e,t,o,null,r,l)}for(a in r)if(o=r[a],l=n[a],r.hasOwnProperty(a)&&(o!=null||l!=null))switch(a){case`value`:o!==l&&(A=!0),p=o;break;case`defaultValue`:o!==l&&(A=!0),c=o;break;case`multiple`:o!==l&&(A=!0),s=o;default:o!==l&&$(e,t,a,o,r,l)}t=c,n=s,r=m,p==null?!!r!=!!n&&(t==null?gn(e,!!n,n?[]:``,!1):gn(e,!!n,t,!0)):gn(e,!!n,p,!1);return;case`textarea`:for(c in m=p=null,n)if(a=n[c],n.hasOwnProperty(c)&&a!=null&&!r.hasOwnProperty(c))switch(c){case`value`:break;case`children`:break;default:$(e,t,c,null,r,a)}for(s in r)if(a=r[s],o=n[s],r.hasOwnProperty(s)&&(a!=null||o!=null))switch(s){case`value`:a!==o&&(A=!0),p=a;break;case`defaultValue`:a!==o&&(A=!0),m=a;break;case`children`:break;case`dangerouslySetInnerHTML`:if(a!=null)throw Error(i(91));break;default:a!==o&&$(e,t,s,a,r,o)}_n(e,p,m);return;case`option`:for(var h in n)if(p=n[h],n.hasOwnProperty(h)&&p!=null&&!r.hasOwnProperty(h))switch(h){case`selected`:e.selected=!1;break;default:$(e,t,h,null,r,p)}for(l in r)if(p=r[l],m=n[l],r.hasOwnProperty(l)&&p!==m&&(p!=null||m!=null))switch(l){case`selected`:p!==m&&(A=!0),e.selected=p&&typeof p!=`function`&&typeof p!=`symbol`;break;default:$(e,t,l,p,r,m)}return;case`img`:case`link`:case`area`:case`base`:case`br`:case`col`:case`embed`:case`hr`:case`keygen`:case`meta`:case`param`:case`source`:case`track`:case`wbr`:case`menuitem`:for(var g in n)p=n[g],n.hasOwnProperty(g)&&p!=null&&!r.hasOwnProperty(g)&&$(e,t,g,null,r,p);for(u in r)if(p=r[u],m=n[u],r.hasOwnProperty(u)&&p!==m&&(p!=null||m!=null))switch(u){case`children`:case`dangerouslySetInnerHTML`:if(p!=null)throw Error(i(137,t));break;default:$(e,t,u,p,r,m)}return;default:if(Cn(t)){for(var _ in n)p=n[_],n.hasOwnProperty(_)&&p!==void 0&&!r.hasOwnProperty(_)&&tp(e,t,_,void 0,r,p);for(d in r)p=r[d],m=n[d],!r.hasOwnProperty(d)||p===m||p===void 0&&m===void 0||tp(e,t,d,p,r,m);return}}for(var v in n)p=n[v],n.hasOwnProperty(v)&&p!=null&&!r.hasOwnProperty(v)&&$(e,t,v,null,r,p);for(f in r)p=r[f],m=n[f],!r.hasOwnProperty(f)||p===m||p==null&&m==null||$(e,t,f,p,r,m)}function ap(e){switch(e){case`css`:case`script`:case`font`:case`img`:case`image`:case`input`:case`link`:return!0;default:return!1}}function op(){if(typeof performance.getEntriesByType==`function`){for(var e=0,t=0,n=performance.getEntriesByType(`resource`),r=0;r<n.length;r++){var i=n[r],a=i.transferSize,o=i.initiatorType,s=i.duration;if(a&&s&&ap(o)){for(o=0,s=i.responseEnd,r+=1;r<n.length;r++){var c=n[r],l=c.startTime;if(l>s)break;var u=c.transferSize,d=c.initiatorType;u&&ap(d)&&(c=c.responseEnd,o+=u*(c<s?1:(s-l)/(c-l)))}if(--r,t+=8*(a+o)/(i.duration/1e3),e++,10<e)break}}if(0<e)return t/e/1e6}return navigator.connection&&(e=navigator.connection.downlink,typeof e==`number`)?e:5}var sp=null,cp=null;function lp(e){return e.nodeType===9?e:e.ownerDocument}function up(e){switch(e){case`http://www.w3.org/2000/svg`:return 1;case`http://www.w3.org/1998/Math/MathML`:return 2;default:return 0}}function dp(e,t){if(e===0)switch(t){case`svg`:return 1;case`math`:return 2;default:return 0}return e===1&&t===`foreignObject`?0:e}function fp(e,t,n,r){return n=lp(n).createElement(e),n[jt]=r,n[Mt]=t,np(n,e,t),Gt(n),n}function pp(e,t){return e===`textarea`||e===`noscript`||typeof t.children==`string`||typeof t.children==`number`||typeof t.children==`bigint`||typeof t.dangerouslySetInnerHTML==`object`&&t.dangerouslySetInnerHTML!==null&&t.dangerouslySetInnerHTML.__html!=null}var mp=null;function hp(){var e=window.event;return e&&e.type===`popstate`?e!==mp&&(mp=e,!0):(mp=null,!1)}var gp=typeof setTimeout==`function`?setTimeout:void 0,_p=typeof clearTimeout==`function`?clearTimeout:void 0,vp=typeof Promise==`function`?Promise:void 0,yp=typeof requestAnimationFrame==`function`?requestAnimationFrame:gp,bp=typeof queueMicrotask==`function`?queueMicrotask:vp===void 0?gp:function(e){return vp.resolve(null).then(e).catch(xp)};function xp(e){setTimeout(function(){throw e})}function Sp(e){return e===`head`}function Cp(e,t){var n=t,r=0;do{var i=n.nextSibling;if(e.removeChild(n),i&&i.nodeType===8){if(n=i.data,n===`/$`||n===`/&`){if(r===0){e.removeChild(i),Hh(t);return}r--}else if(n===`$`||n===`$?`||n===`$~`||n===`$!`||n===`&`)r++;else if(n===`html`)_m(e.ownerDocument.documentElement);else if(n===`head`){n=e.ownerDocument.head,_m(n);for(var a=n.firstChild;a;){var o=a.nextSibling,s=a.nodeName;a[Rt]||s===`SCRIPT`||s===`STYLE`||s===`LINK`&&a.rel.toLowerCase()===`stylesheet`||n.removeChild(a),a=o}}else n===`body`&&_m(e.ownerDocument.body)}n=i}while(n);Hh(t)}function wp(e,t){var n=e;e=0;do{var r=n.nextSibling;if(n.nodeType===1?t?(n._stashedDisplay=n.style.display,n.style.display=`none`):(n.style.display=n._stashedDisplay||``,n.getAttribute(`style`)===``&&n.removeAttribute(`style`)):n.nodeType===3&&(t?(n._stashedText=n.nodeValue,n.nodeValue=``):n.nodeValue=n._stashedText||``),r&&r.nodeType===8){if(n=r.data,n===`/$`){if(e===0)break;e--}else n!==`$`&&n!==`$?`&&n!==`$~`&&n!==`$!`||e++}n=r}while(n)}function Tp(e,t,n){if(t=CSS.escape(t)===t?t:`r-`+btoa(t).replace(/=/g,``),e.style.viewTransitionName=t,n!=null&&(e.style.viewTransitionClass=n),n=getComputedStyle(e),n.display===`inline`){if(t=e.getClientRects(),t.length===1)var r=1;else for(var i=r=0;i<t.length;i++){var a=t[i];0<a.width&&0<a.height&&r++}r===1&&(e=e.style,e.display=t.length===1?`inline-block`:`block`,e.marginTop=`-`+n.paddingTop,e.marginBottom=`-`+n.paddingBottom)}}function Ep(e,t){e=e.style,t=t.style;var n=t==null?null:t.hasOwnProperty(`viewTransitionName`)?t.viewTransitionName:t.hasOwnProperty(`view-transition-name`)?t[`view-transition-name`]:null;e.viewTransitionName=n==null||typeof n==`boolean`?``:(``+n).trim(),n=t==null?null:t.hasOwnProperty(`viewTransitionClass`)?t.viewTransitionClass:t.hasOwnProperty(`view-transition-class`)?t[`view-transition-class`]:null,e.viewTransitionClass=n==null||typeof n==`boolean`?``:(``+n).trim(),e.display===`inline-block`&&(t==null?e.display=e.margin=``:(n=t.display,e.display=n==null||typeof n==`boolean`?``:n,n=t.margin,n==null?(n=t.hasOwnProperty(`marginTop`)?t.marginTop:t[`margin-top`],e.marginTop=n==null||typeof n==`boolean`?``:n,t=t.hasOwnProperty(`marginBottom`)?t.marginBottom:t[`margin-bottom`],e.marginBottom=t==null||typeof t==`boolean`?``:t):e.margin=n))}function Dp(e,t,n){return n=n.ownerDocument.defaultView,{rect:e,abs:t.position===`absolute`||t.position===`fixed`,clip:t.clipPath!==`none`||t.overflow!==`visible`||t.filter!==`none`||t.mask!==`none`||t.mask!==`none`||t.borderRadius!==`0px`,view:0<=e.bottom&&0<=e.right&&e.top<=n.innerHeight&&e.left<=n.innerWidth}}function Op(e){return Dp(e.getBoundingClientRect(),getComputedStyle(e),e)}function kp(e){var t=e.getBoundingClientRect();t=new DOMRect(t.x+2e4,t.y+2e4,t.width,t.height);var n=getComputedStyle(e);return Dp(t,n,e)}function Ap(e){return e.documentElement.clientHeight}function jp(e){this.addEventListener(`load`,e),this.addEventListener(`error`,e)}function Mp(e,t,n,r,i,a,o,s,c){var l=t.nodeType===9?t:t.ownerDocument;try{var u=l.startViewTransition({update:function(){var t=l.defaultView,n=t.navigation&&t.navigation.transition,o=l.fonts.status;r();var s=[];if(o===`loaded`&&(Ap(l),l.fonts.status===`loading`&&s.push(l.fonts.ready)),o=s.length,e!==null)for(var c=e.suspenseyImages,u=0,d=0;d<c.length;d++){var f=c[d];if(!f.complete){var p=f.getBoundingClientRect();if(0<p.bottom&&0<p.right&&p.top<t.innerHeight&&p.left<t.innerWidth){if(u+=Xm(f),u>$m){s.length=o;break}f=new Promise(jp.bind(f)),s.push(f)}}}if(0<s.length)return t=Promise.race([Promise.all(s),new Promise(function(e){return setTimeout(e,500)})]).then(i,i),(n?Promise.allSettled([n.finished,t]):t).then(a,a);if(i(),n)return n.finished.then(a,a);a()},types:n});l.__reactViewTransition=u;var d=[];return u.ready.then(function(){for(var e=l.documentElement.getAnimations({subtree:!0}),t=0;t<e.length;t++){var n=e[t],r=n.effect,i=r.pseudoElement;if(i!=null&&i.startsWith(`::view-transition`)){d.push(n),n=r.getKeyframes();for(var a=i=void 0,s=!0,c=0;c<n.length;c++){var u=n[c],f=u.width;if(i===void 0)i=f;else if(i!==f){s=!1;break}if(f=u.height,a===void 0)a=f;else if(a!==f){s=!1;break}delete u.width,delete u.height,u.transform===`none`&&delete u.transform}s&&i!==void 0&&a!==void 0&&(r.setKeyframes(n),s=getComputedStyle(r.target,r.pseudoElement),s.width!==i||s.height!==a)&&(s=n[0],s.width=i,s.height=a,s=n[n.length-1],s.width=i,s.height=a,r.setKeyframes(n))}}o()},function(e){l.__reactViewTransition===u&&(l.__reactViewTransition=null);try{if(typeof e==`object`&&e)switch(e.name){case`InvalidStateError`:(e.message===`View transition was skipped because document visibility state is hidden.`||e.message===`Skipping view transition because document visibility state has become hidden.`||e.message===`Skipping view transition because viewport size changed.`||e.message===`Transition was aborted because of invalid state`)&&(e=null)}e!==null&&c(e)}finally{r(),i(),o()}}),u.finished.finally(function(){for(var e=0;e<d.length;e++)d[e].cancel();l.__reactViewTransition===u&&(l.__reactViewTransition=null),s()}),u}catch{return r(),i(),o(),null}}function Np(e,t){this._scope=document.documentElement,this._selector=`::view-transition-`+e+`(`+t+`)`}Np.prototype.animate=function(e,t){return t=typeof t==`number`?{duration:t}:S({},t),t.pseudoElement=this._selector,this._scope.animate(e,t)},Np.prototype.getAnimations=function(){for(var e=this._scope,t=this._selector,n=e.getAnimations({subtree:!0}),r=[],i=0;i<n.length;i++){var a=n[i].effect;a!==null&&a.target===e&&a.pseudoElement===t&&r.push(n[i])}return r},Np.prototype.getComputedStyle=function(){return getComputedStyle(this._scope,this._selector)};function Pp(e){return{name:e,group:new Np(`group`,e),imagePair:new Np(`image-pair`,e),old:new Np(`old`,e),new:new Np(`new`,e)}}function Fp(e){this._fragmentFiber=e,this._observers=this._eventListeners=null}Fp.prototype.addEventListener=function(e,t,n){var r=null,i=null;if(!(n!=null&&typeof n!=`boolean`&&(r=n.signal||null,r!==null&&r.aborted))){this._eventListeners===null&&(this._eventListeners=[]);var a=this._eventListeners;if(Bp(a,e,t,n)===-1){var o=this,s=t;n!=null&&typeof n!=`boolean`&&!0===n.once&&(s=function(r){o.removeEventListener(e,t,n),typeof t==`function`?t.call(this,r):t.handleEvent(r)}),r!==null&&(i=o.removeEventListener.bind(o,e,t,n),r.addEventListener(`abort`,i,{once:!0}),i=r.removeEventListener.bind(r,`abort`,i)),r=Rp(n),a.push({type:e,listener:t,optionsOrUseCapture:n,attachedListener:s,cleanup:i}),h(this._fragmentFiber.child,!1,Ip,e,s,r)}this._eventListeners=a}};function Ip(e,t,n,r){return b(e).addEventListener(t,n,r),!1}Fp.prototype.removeEventListener=function(e,t,n){var r=this._eventListeners;if(r!==null&&(t=Bp(r,e,t,n),t!==-1)){var i=r[t];n=i.attachedListener;var a=i.cleanup;i=Rp(i.optionsOrUseCapture),h(this._fragmentFiber.child,!1,Lp,e,n,i),r.splice(t,1),a!==null&&a()}};function Lp(e,t,n,r){return b(e).removeEventListener(t,n,r),!1}function Rp(e){return e!=null&&typeof e!=`boolean`&&(!0===e.once||e.signal instanceof AbortSignal)?{capture:e.capture,passive:e.passive}:e}function zp(e){return e==null?`c=0`:typeof e==`boolean`?`c=`+(e?`1`:`0`):`c=`+(e.capture?`1`:`0`)}function Bp(e,t,n,r){if(e.length===0)return-1;r=zp(r);for(var i=0;i<e.length;i++){var a=e[i];if(a.type===t&&a.listener===n&&zp(a.optionsOrUseCapture)===r)return i}return-1}Fp.prototype.dispatchEvent=function(e){var t=g(this._fragmentFiber);if(t===null)return!0;t=b(t);var n=this._eventListeners;if(n!==null&&0<n.length||!e.bubbles){var r=t.nodeType===9?t.createComment(``):document.createTextNode(``);if(n)for(var i=0;i<n.length;i++){var a=n[i];r.addEventListener(a.type,a.attachedListener,Rp(a.optionsOrUseCapture))}if(t.appendChild(r),e=r.dispatchEvent(e),n)for(i=0;i<n.length;i++)a=n[i],r.removeEventListener(a.type,a.attachedListener,Rp(a.optionsOrUseCapture));return t.removeChild(r),e}return t.dispatchEvent(e)},Fp.prototype.focus=function(e){h(this._fragmentFiber.child,!0,Vp,e,void 0,void 0)};function Vp(e,t){return e.tag!==6&&(e=b(e),pm(e,t))}Fp.prototype.focusLast=function(e){var t=[];h(this._fragmentFiber.child,!0,Hp,t,void 0,void 0);for(var n=t.length-1;0<=n&&!Vp(t[n],e);n--);};function Hp(e,t){return t.push(e),!1}Fp.prototype.blur=function(){var e=g(this._fragmentFiber);e!==null&&(e=b(e),e=lp(e).activeElement,e!==null&&h(this._fragmentFiber.child,!1,Up,e,void 0,void 0))};function Up(e,t){return e.tag!==6&&(e=b(e),e===t||e.contains(t)?(t.blur(),!0):!1)}Fp.prototype.observeUsing=function(e){this._observers===null&&(this._observers=new Set),this._observers.add(e),h(this._fragmentFiber.child,!1,Wp,e,void 0,void 0)};function Wp(e,t){return e.tag===6||(e=b(e),t.observe(e)),!1}Fp.prototype.unobserveUsing=function(e){var t=this._observers;if(t!==null&&t.has(e)){t.delete(e),h(this._fragmentFiber.child,!1,Gp,e,void 0,void 0);for(var n=t=0;n<Kp.length;n++){var r=Kp[n];r.fragmentInstance===this&&r.observer===e?e.unobserve(r.instance):Kp[t++]=r}Kp.length=t}};function Gp(e,t){return e.tag===6||(e=b(e),t.unobserve(e)),!1}var Kp=[],qp=!1;function Jp(e,t,n){Kp.push({fragmentInstance:e,observer:t,instance:n}),qp||(qp=!0,mm(function(){qp=!1;var e=Kp;Kp=[];for(var t=0;t<e.length;t++){var n=e[t];n.observer.unobserve(n.instance)}}))}Fp.prototype.getClientRects=function(){var e=[];return h(this._fragmentFiber.child,!1,Yp,e,void 0,void 0),e};function Yp(e,t){if(e.tag===6){e=e.stateNode;var n=e.ownerDocument.createRange();n.selectNodeContents(e),t.push.apply(t,n.getClientRects())}else e=b(e),t.push.apply(t,e.getClientRects());return!1}Fp.prototype.getRootNode=function(e){var t=g(this._fragmentFiber);return t===null?this:b(t).getRootNode(e)},Fp.prototype.compareDocumentPosition=function(e){var t=g(this._fragmentFiber);if(t===null)return Node.DOCUMENT_POSITION_DISCONNECTED;var n=[];h(this._fragmentFiber.child,!1,Hp,n,void 0,void 0);var r=b(t);if(n.length===0){if(n=r,_(this._fragmentFiber)){a:{for(t=this._fragmentFiber.return;t!==null;){if(t.tag===4){t=t.stateNode.containerInfo;break a}if(t.tag===3||t.tag===5||t.tag===27)break;t=t.return}t=null}t!=null&&(n=t)}t=this._fragmentFiber;var i=r=n.compareDocumentPosition(e);return n===e?i=Node.DOCUMENT_POSITION_CONTAINS:r&Node.DOCUMENT_POSITION_CONTAINED_BY&&(n=v(t)[1],n===null?i=Node.DOCUMENT_POSITION_PRECEDING:(e=b(n).compareDocumentPosition(e),i=e===0||e&Node.DOCUMENT_POSITION_FOLLOWING?Node.DOCUMENT_POSITION_FOLLOWING:Node.DOCUMENT_POSITION_PRECEDING)),i|=Node.DOCUMENT_POSITION_IMPLEMENTATION_SPECIFIC}t=b(n[0]),i=b(n[n.length-1]);var a=_(this._fragmentFiber)?t.parentElement:r;if(a==null)return Node.DOCUMENT_POSITION_DISCONNECTED;r=a.compareDocumentPosition(t)&Node.DOCUMENT_POSITION_CONTAINED_BY,a=a.compareDocumentPosition(i)&Node.DOCUMENT_POSITION_CONTAINED_BY;var o=t.compareDocumentPosition(e),s=i.compareDocumentPosition(e),c=o&Node.DOCUMENT_POSITION_CONTAINED_BY||s&Node.DOCUMENT_POSITION_CONTAINED_BY;return s=r&&a&&o&Node.DOCUMENT_POSITION_FOLLOWING&&s&Node.DOCUMENT_POSITION_PRECEDING,t=r&&t===e||a&&i===e||c||s?Node.DOCUMENT_POSITION_CONTAINED_BY:!r&&t===e||!a&&i===e?Node.DOCUMENT_POSITION_IMPLEMENTATION_SPECIFIC:o,t&Node.DOCUMENT_POSITION_DISCONNECTED||t&Node.DOCUMENT_POSITION_IMPLEMENTATION_SPECIFIC||Xp(t,this._fragmentFiber,n[0],n[n.length-1],e)?t:Node.DOCUMENT_POSITION_IMPLEMENTATION_SPECIFIC};function Xp(e,t,n,r,i){var a=Vt(i);if(e&Node.DOCUMENT_POSITION_CONTAINED_BY){if(n=!!a)a:{for(;a!==null;){if(a.tag===7&&(a===t||a.alternate===t)){n=!0;break a}a=a.return}n=!1}return n}if(e&Node.DOCUMENT_POSITION_CONTAINS){if(a===null)return a=i.ownerDocument,i===a||i===a.documentElement||i===a.body;a:{for(a=t,t=g(t);a!==null;){if(!(a.tag!==5&&a.tag!==3&&a.tag!==27||a!==t&&a.alternate!==t)){a=!0;break a}a=a.return}a=!1}return a}return e&Node.DOCUMENT_POSITION_PRECEDING?((t=!!a)&&!(t=a===n)&&(t=ie(n,a,x),t===null?t=!1:(h(t,!0,ne,a,n),a=ee,ee=null,t=a!==null)),t):e&Node.DOCUMENT_POSITION_FOLLOWING?((t=!!a)&&!(t=a===r)&&(t=ie(r,a,x),t===null?t=!1:(h(t,!0,re,a,r),a=ee,te=ee=null,t=a!==null)),t):!1}function Zp(e,t){var n=e.ownerDocument.createRange();n.selectNodeContents(e),e=n.getBoundingClientRect(),window.scrollTo(window.scrollX+e.left,t?window.scrollY+e.top:window.scrollY+e.bottom-window.innerHeight)}Fp.prototype.scrollIntoView=function(e){if(typeof e==`object`)throw Error(i(566));var t=[];h(this._fragmentFiber.child,!1,Hp,t,void 0,void 0);var n=!1!==e;if(t.length===0){var r=v(this._fragmentFiber);if(r=n?r[1]||r[0]||g(this._fragmentFiber):r[0]||r[1],r===null)return;if(r.tag===6){e=b(r),Zp(e,n);return}if(r=b(r),r.nodeType!==9){if(r.nodeType===11){n=`host`in r?r.host:null,n!==null&&n.scrollIntoView(e);return}r.scrollIntoView(e)}}for(r=n?t.length-1:0;r!==(n?-1:t.length);){var a=t[r];a.tag===6?(a=b(a),Zp(a,n)):b(a).scrollIntoView(e),r+=n?-1:1}};function Qp(e,t){return e=b(e),$p(e,t),!1}function $p(e,t){e.reactFragments??=new Set,e.reactFragments.add(t)}function em(e,t){var n=t._eventListeners;if(n!==null)for(var r=0;r<n.length;r++){var i=n[r];e.addEventListener(i.type,i.attachedListener,Rp(i.optionsOrUseCapture))}e.nodeType!==3&&(n=t._observers,n!==null&&n.forEach(function(n){for(var r=0,i=0;i<Kp.length;i++){var a=Kp[i];(a.fragmentInstance!==t||a.observer!==n||a.instance!==e)&&(Kp[r++]=a)}Kp.length=r,n.observe(e)}),$p(e,t))}function tm(e,t){var n=t._eventListeners;if(n!==null)for(var r=0;r<n.length;r++){var i=n[r];e.removeEventListener(i.type,i.attachedListener,Rp(i.optionsOrUseCapture))}e.nodeType!==3&&(n=t._observers,n!==null&&n.forEach(function(n){typeof n.rootMargin==`string`?Jp(t,n,e):n.unobserve(e)}),e.reactFragments!=null&&e.reactFragments.delete(t))}function nm(e){var t=e.firstChild;for(t&&t.nodeType===10&&(t=t.nextSibling);t;){var n=t;switch(t=t.nextSibling,n.nodeName){case`HTML`:case`HEAD`:case`BODY`:nm(n),Bt(n);continue;case`SCRIPT`:case`STYLE`:continue;case`LINK`:if(n.rel.toLowerCase()===`stylesheet`)continue}e.removeChild(n)}}function rm(e,t,n,r){for(;e.nodeType===1;){var i=n;if(e.nodeName.toLowerCase()!==t.toLowerCase()){if(!r&&(e.nodeName!==`INPUT`||e.type!==`hidden`))break}else if(!r){if(t===`input`&&e.type===`hidden`){var a=i.name==null?null:``+i.name;if(i.type===`hidden`&&e.getAttribute(`name`)===a)return e}else return e}else if(!e[Rt])switch(t){case`meta`:if(!e.hasAttribute(`itemprop`))break;return e;case`link`:if(a=e.getAttribute(`rel`),a===`stylesheet`&&e.hasAttribute(`data-precedence`)||a!==i.rel||e.getAttribute(`href`)!==(i.href==null||i.href===``?null:i.href)||e.getAttribute(`crossorigin`)!==(i.crossOrigin==null?null:i.crossOrigin)||e.getAttribute(`title`)!==(i.title==null?null:i.title))break;return e;case`style`:if(e.hasAttribute(`data-precedence`))break;return e;case`script`:if(a=e.getAttribute(`src`),(a!==(i.src==null?null:i.src)||e.getAttribute(`type`)!==(i.type==null?null:i.type)||e.getAttribute(`crossorigin`)!==(i.crossOrigin==null?null:i.crossOrigin))&&a&&e.hasAttribute(`async`)&&!e.hasAttribute(`itemprop`))break;return e;default:return e}if(e=lm(e.nextSibling),e===null)break}return null}function im(e,t,n){if(t===``)return null;for(;e.nodeType!==3;)if((e.nodeType!==1||e.nodeName!==`INPUT`||e.type!==`hidden`)&&!n||(e=lm(e.nextSibling),e===null))return null;return e}function am(e,t){for(;e.nodeType!==8;)if((e.nodeType!==1||e.nodeName!==`INPUT`||e.type!==`hidden`)&&!t||(e=lm(e.nextSibling),e===null))return null;return e}function om(e){return e.data===`$?`||e.data===`$~`}function sm(e){return e.data===`$!`||e.data===`$?`&&e.ownerDocument.readyState!==`loading`}function cm(e,t){var n=e.ownerDocument;if(e.data===`$~`)e._reactRetry=t;else if(e.data!==`$?`||n.readyState!==`loading`)t();else{var r=function(){t(),n.removeEventListener(`DOMContentLoaded`,r)};n.addEventListener(`DOMContentLoaded`,r),e._reactRetry=r}}function lm(e){for(;e!=null;e=e.nextSibling){var t=e.nodeType;if(t===1||t===3)break;if(t===8){if(t=e.data,t===`$`||t===`$!`||t===`$?`||t===`$~`||t===`&`||t===`F!`||t===`F`)break;if(t===`/$`||t===`/&`)return null}}return e}var um=null;function dm(e){e=e.nextSibling;for(var t=0;e;){if(e.nodeType===8){var n=e.data;if(n===`/$`||n===`/&`){if(t===0)return lm(e.nextSibling);t--}else n!==`$`&&n!==`$!`&&n!==`$?`&&n!==`$~`&&n!==`&`||t++}e=e.nextSibling}return null}function fm(e){e=e.previousSibling;for(var t=0;e;){if(e.nodeType===8){var n=e.data;if(n===`$`||n===`$!`||n===`$?`||n===`$~`||n===`&`){if(t===0)return e;t--}else n!==`/$`&&n!==`/&`||t++}e=e.previousSibling}return null}function pm(e,t){function n(){r=!0}if(e.ownerDocument.activeElement===e)return!0;var r=!1;try{e.ownerDocument.addEventListener(`focus`,n,!0),(e.focus||HTMLElement.prototype.focus).call(e,t)}finally{e.ownerDocument.removeEventListener(`focus`,n,!0)}return r}function mm(e){yp(function(){yp(function(t){return e(t)})})}function hm(e,t,n){switch(t=lp(n),e){case`html`:if(e=t.documentElement,!e)throw Error(i(452));return e;case`head`:if(e=t.head,!e)throw Error(i(453));return e;case`body`:if(e=t.body,!e)throw Error(i(454));return e;default:throw Error(i(451))}}function gm(e,t,n){for(var r in n){var i=n[r];n.hasOwnProperty(r)&&i!=null&&$(e,t,r,null,rp,i)}n.dangerouslySetInnerHTML!=null&&(e.textContent=``),e.onclick===Dn&&(e.onclick=null),Bt(e)}function _m(e){for(var t=e.attributes;t.length;)e.removeAttributeNode(t[0]);Bt(e)}var vm=new Map,ym=new Set;function bm(e){if(typeof e.getRootNode==`function`){var t=e.getRootNode();if(t.nodeType===9||t.nodeType===11)return t}return e.nodeType===9?e:e.ownerDocument}var xm=w.d;w.d={f:Sm,r:Cm,D:Em,C:Dm,L:Om,m:km,X:jm,S:Am,M:Mm};function Sm(){var e=xm.f(),t=Rd();return e||t}function Cm(e){var t=Ht(e);t!==null&&t.tag===5&&t.type===`form`?Qs(t):xm.r(e)}var wm=typeof document>`u`?null:document;function Tm(e,t,n){var r=wm;if(r&&typeof t==`string`&&t){var i=fn(t);i=`link[rel="`+e+`"][href="`+i+`"]`,typeof n==`string`&&(i+=`[crossorigin="`+n+`"]`),ym.has(i)||(ym.add(i),e={rel:e,crossOrigin:n,href:t},r.querySelector(i)===null&&(t=r.createElement(`link`),np(t,`link`,e),Gt(t),r.head.appendChild(t)))}}function Em(e){xm.D(e),Tm(`dns-prefetch`,e,null)}function Dm(e,t){xm.C(e,t),Tm(`preconnect`,e,t)}function Om(e,t,n){xm.L(e,t,n);var r=wm;if(r&&e&&t){var i=`link[rel="preload"][as="`+fn(t)+`"]`;t===`image`&&n&&n.imageSrcSet?(i+=`[imagesrcset="`+fn(n.imageSrcSet)+`"]`,typeof n.imageSizes==`string`&&(i+=`[imagesizes="`+fn(n.imageSizes)+`"]`)):i+=`[href="`+fn(e)+`"]`;var a=i;switch(t){case`style`:a=Pm(e);break;case`script`:a=Rm(e)}if(!(vm.has(a)||(e=S({rel:`preload`,href:t===`image`&&n&&n.imageSrcSet?void 0:e,as:t},n),vm.set(a,e),r.querySelector(i)!==null||t===`style`&&r.querySelector(Fm(a))||t===`script`&&r.querySelector(zm(a))))){var o=r.createElement(`link`);np(o,`link`,e),t===`style`&&(o[zt]=!0,o.onload=o.onerror=function(){Kt(o)}),Gt(o),r.head.appendChild(o)}}}function km(e,t){xm.m(e,t);var n=wm;if(n&&e){var r=t&&typeof t.as==`string`?t.as:`script`,i=`link[rel="modulepreload"][as="`+fn(r)+`"][href="`+fn(e)+`"]`,a=i;switch(r){case`audioworklet`:case`paintworklet`:case`serviceworker`:case`sharedworker`:case`worker`:case`script`:a=Rm(e)}if(!vm.has(a)&&(e=S({rel:`modulepreload`,href:e},t),vm.set(a,e),n.querySelector(i)===null)){switch(r){case`audioworklet`:case`paintworklet`:case`serviceworker`:case`sharedworker`:case`worker`:case`script`:if(n.querySelector(zm(a)))return}r=n.createElement(`link`),np(r,`link`,e),Gt(r),n.head.appendChild(r)}}}function Am(e,t,n){xm.S(e,t,n);var r=wm;if(r&&e){var i=Wt(r).hoistableStyles,a=Pm(e);t||=`default`;var o=i.get(a);if(!o){var s={loading:0,preload:null};if(o=r.querySelector(Fm(a)))s.loading=5;else{e=S({rel:`stylesheet`,href:e,"data-precedence":t},n),(n=vm.get(a))&&Hm(e,n);var c=o=r.createElement(`link`);Gt(c),np(c,`link`,e),c._p=new Promise(function(e,t){c.onload=e,c.onerror=t}),c.addEventListener(`load`,function(){s.loading|=1}),c.addEventListener(`error`,function(){s.loading|=2}),s.loading|=4,Vm(o,t,r)}o={type:`stylesheet`,instance:o,count:1,state:s},i.set(a,o)}}}function jm(e,t){xm.X(e,t);var n=wm;if(n&&e){var r=Wt(n).hoistableScripts,i=Rm(e),a=r.get(i);a||(a=n.querySelector(zm(i)),a||(e=S({src:e,async:!0},t),(t=vm.get(i))&&Um(e,t),a=n.createElement(`script`),Gt(a),np(a,`link`,e),n.head.appendChild(a)),a={type:`script`,instance:a,count:1,state:null},r.set(i,a))}}function Mm(e,t){xm.M(e,t);var n=wm;if(n&&e){var r=Wt(n).hoistableScripts,i=Rm(e),a=r.get(i);a||(a=n.querySelector(zm(i)),a||(e=S({src:e,async:!0,type:`module`},t),(t=vm.get(i))&&Um(e,t),a=n.createElement(`script`),Gt(a),np(a,`link`,e),n.head.appendChild(a)),a={type:`script`,instance:a,count:1,state:null},r.set(i,a))}}function Nm(e,t,n,r){var a=(a=Pe.current)?bm(a):null;if(!a)throw Error(i(446));switch(e){case`meta`:case`title`:return null;case`style`:return typeof n.precedence==`string`&&typeof n.href==`string`?(n=Pm(n.href),t=Wt(a).hoistableStyles,r=t.get(n),r||(r={type:`style`,instance:null,count:0,state:null},t.set(n,r)),r):{type:`void`,instance:null,count:0,state:null};case`link`:if(n.rel===`stylesheet`&&typeof n.href==`string`&&typeof n.precedence==`string`){e=Pm(n.href);var o=Wt(a).hoistableStyles,s=o.get(e);if(s||(a=a.ownerDocument||a,s={type:`stylesheet`,instance:null,count:0,state:{loading:0,preload:null}},o.set(e,s),(o=a.querySelector(Fm(e)))?o._p||(s.instance=o,s.state.loading=5):(o=vm.get(e),o||(o={rel:`preload`,as:`style`,href:n.href,crossOrigin:n.crossOrigin,integrity:n.integrity,media:n.media,hrefLang:n.hrefLang,referrerPolicy:n.referrerPolicy},vm.set(e,o)),Lm(a,e,o,s.state))),t&&r===null)throw Error(i(528,``));return s}if(t&&r!==null)throw Error(i(529,``));return null;case`script`:return t=n.async,n=n.src,typeof n==`string`&&t&&typeof t!=`function`&&typeof t!=`symbol`?(n=Rm(n),t=Wt(a).hoistableScripts,r=t.get(n),r||(r={type:`script`,instance:null,count:0,state:null},t.set(n,r)),r):{type:`void`,instance:null,count:0,state:null};default:throw Error(i(444,e))}}function Pm(e){return`href="`+fn(e)+`"`}function Fm(e){return`link[rel="stylesheet"][`+e+`]`}function Im(e){return S({},e,{"data-precedence":e.precedence,precedence:null})}function Lm(e,t,n,r){if(t=e.querySelector(`link[rel="preload"][as="style"][`+t+`]`)){if(!0!==t[zt]){r.loading=1;return}}else t=e.createElement(`link`),t[zt]=!0,t.onload=t.onerror=Kt.bind(null,t),np(t,`link`,n),Gt(t),e.head.appendChild(t);r.preload=t,t.addEventListener(`load`,function(){return r.loading|=1}),t.addEventListener(`error`,function(){return r.loading|=2})}function Rm(e){return`[src="`+fn(e)+`"]`}function zm(e){return`script[async]`+e}function Bm(e,t,n){if(t.count++,t.instance===null)switch(t.type){case`style`:var r=e.querySelector(`style[data-href~="`+fn(n.href)+`"]`);if(r)return t.instance=r,Gt(r),r;var a=S({},n,{"data-href":n.href,"data-precedence":n.precedence,href:null,precedence:null});return r=(e.ownerDocument||e).createElement(`style`),Gt(r),np(r,`style`,a),Vm(r,n.precedence,e),t.instance=r;case`stylesheet`:a=Pm(n.href);var o=e.querySelector(Fm(a));if(o)return t.state.loading|=4,t.instance=o,Gt(o),o;r=Im(n),(a=vm.get(a))&&Hm(r,a),o=(e.ownerDocument||e).createElement(`link`),Gt(o);var s=o;return s._p=new Promise(function(e,t){s.onload=e,s.onerror=t}),np(o,`link`,r),t.state.loading|=4,Vm(o,n.precedence,e),t.instance=o;case`script`:return o=Rm(n.src),(a=e.querySelector(zm(o)))?(t.instance=a,Gt(a),a):(r=n,(a=vm.get(o))&&(r=S({},n),Um(r,a)),e=e.ownerDocument||e,a=e.createElement(`script`),Gt(a),np(a,`link`,r),e.head.appendChild(a),t.instance=a);case`void`:return null;default:throw Error(i(443,t.type))}else t.type===`stylesheet`&&!(t.state.loading&4)&&(r=t.instance,t.state.loading|=4,Vm(r,n.precedence,e));return t.instance}function Vm(e,t,n){for(var r=n.querySelectorAll(`link[rel="stylesheet"][data-precedence],style[data-precedence]`),i=r.length?r[r.length-1]:null,a=i,o=0;o<r.length;o++){var s=r[o];if(s.dataset.precedence===t)a=s;else if(a!==i)break}a?a.parentNode.insertBefore(e,a.nextSibling):(t=n.nodeType===9?n.head:n,t.insertBefore(e,t.firstChild))}function Hm(e,t){e.crossOrigin??=t.crossOrigin,e.referrerPolicy??=t.referrerPolicy,e.title??=t.title}function Um(e,t){e.crossOrigin??=t.crossOrigin,e.referrerPolicy??=t.referrerPolicy,e.integrity??=t.integrity}var Wm=null;function Gm(e,t,n){if(Wm===null){var r=new Map,i=Wm=new Map;i.set(n,r)}else i=Wm,r=i.get(n),r||(r=new Map,i.set(n,r));if(r.has(e))return r;for(r.set(e,null),n=n.getElementsByTagName(e),i=0;i<n.length;i++){var a=n[i];if(!(a[Rt]||a[jt]||e===`link`&&a.getAttribute(`rel`)===`stylesheet`)&&a.namespaceURI!==`http://www.w3.org/2000/svg`){var o=a.getAttribute(t)||``;o=e+o;var s=r.get(o);s?s.push(a):r.set(o,[a])}}return r}function Km(e,t,n){e=e.ownerDocument||e,e.head.insertBefore(n,t===`title`?e.querySelector(`head > title`):null)}function qm(e,t,n){if(n===1||t.itemProp!=null)return!1;switch(e){case`meta`:case`title`:return!0;case`style`:if(typeof t.precedence!=`string`||typeof t.href!=`string`||t.href===``)break;return!0;case`link`:if(typeof t.rel!=`string`||typeof t.href!=`string`||t.href===``||t.onLoad||t.onError)break;switch(t.rel){case`stylesheet`:return e=t.disabled,typeof t.precedence==`string`&&e==null;default:return!0}case`script`:if(t.async&&typeof t.async!=`function`&&typeof t.async!=`symbol`&&!t.onLoad&&!t.onError&&t.src&&typeof t.src==`string`)return!0}return!1}function Jm(e,t){return e===`img`&&t.src!=null&&t.src!==``&&t.onLoad==null&&t.loading!==`lazy`}function Ym(e){return!(e.type===`stylesheet`&&!(e.state.loading&3))}function Xm(e){return(e.width||100)*(e.height||100)*(typeof devicePixelRatio==`number`?devicePixelRatio:1)*.25}function Zm(e,t){typeof t.decode==`function`&&(e.imgCount++,t.complete||(e.imgBytes+=Xm(t),e.suspenseyImages.push(t)),e=rh.bind(e),t.decode().then(e,e))}function Qm(e,t,n,r){if(n.type===`stylesheet`&&(typeof r.media!=`string`||!1!==matchMedia(r.media).matches)&&!(n.state.loading&4)){if(n.instance===null){var i=Pm(r.href),a=t.querySelector(Fm(i));if(a){t=a._p,typeof t==`object`&&t&&typeof t.then==`function`&&(e.count++,e=nh.bind(e),t.then(e,e)),n.state.loading|=4,n.instance=a,Gt(a);return}a=t.ownerDocument||t,r=Im(r),(i=vm.get(i))&&Hm(r,i),a=a.createElement(`link`),Gt(a);var o=a;o._p=new Promise(function(e,t){o.onload=e,o.onerror=t}),np(a,`link`,r),n.instance=a}e.stylesheets===null&&(e.stylesheets=new Map),e.stylesheets.set(n,t),(t=n.state.preload)&&!(n.state.loading&3)&&(e.count++,n=nh.bind(e),t.addEventListener(`load`,n),t.addEventListener(`error`,n))}}var $m=0;function eh(e,t){return e.stylesheets&&e.count===0&&ah(e,e.stylesheets),0<e.count||0<e.imgCount?function(n){var r=setTimeout(function(){if(e.stylesheets&&ah(e,e.stylesheets),e.unsuspend){var t=e.unsuspend;e.unsuspend=null,t()}},6e4+t);0<e.imgBytes&&$m===0&&($m=62500*op());var i=setTimeout(function(){if(e.waitingForImages=!1,e.count===0&&(e.stylesheets&&ah(e,e.stylesheets),e.unsuspend)){var t=e.unsuspend;e.unsuspend=null,t()}},(e.imgBytes>$m?50:800)+t);return e.unsuspend=n,function(){e.unsuspend=null,clearTimeout(r),clearTimeout(i)}}:null}function th(e){if(e.count===0&&(e.imgCount===0||!e.waitingForImages)){if(e.stylesheets)ah(e,e.stylesheets);else if(e.unsuspend){var t=e.unsuspend;e.unsuspend=null,t()}}}function nh(){this.count--,th(this)}function rh(){this.imgCount--,th(this)}var ih=null;function ah(e,t){e.stylesheets=null,e.unsuspend!==null&&(e.count++,ih=new Map,t.forEach(oh,e),ih=null,nh.call(e))}function oh(e,t){if(!(t.state.loading&4)){var n=ih.get(e);if(n)var r=n.get(null);else{n=new Map,ih.set(e,n);for(var i=e.querySelectorAll(`link[data-precedence],style[data-precedence]`),a=0;a<i.length;a++){var o=i[a];(o.nodeName===`LINK`||o.getAttribute(`media`)!==`not all`)&&(n.set(o.dataset.precedence,o),r=o)}r&&n.set(null,r)}i=t.instance,o=i.getAttribute(`data-precedence`),a=n.get(o)||r,a===r&&n.set(null,i),n.set(o,i),this.count++,r=nh.bind(this),i.addEventListener(`load`,r),i.addEventListener(`error`,r),a?a.parentNode.insertBefore(i,a.nextSibling):(e=e.nodeType===9?e.head:e,e.insertBefore(i,e.firstChild)),t.state.loading|=4}}var sh={$$typeof:fe,Provider:null,Consumer:null,_currentValue:Oe,_currentValue2:Oe,_threadCount:0};function ch(e,t,n,r,i,a,o,s,c){this.tag=1,this.containerInfo=e,this.pingCache=this.current=this.pendingChildren=null,this.timeoutHandle=-1,this.callbackNode=this.next=this.pendingContext=this.context=this.cancelPendingCommit=null,this.callbackPriority=0,this.expirationTimes=bt(-1),this.entangledLanes=this.shellSuspendCounter=this.errorRecoveryDisabledLanes=this.expiredLanes=this.warmLanes=this.pingedLanes=this.suspendedLanes=this.pendingLanes=0,this.entanglements=bt(0),this.hiddenUpdates=bt(null),this.identifierPrefix=r,this.onUncaughtError=i,this.onCaughtError=a,this.onRecoverableError=o,this.pooledCache=null,this.pooledCacheLanes=0,this.formState=c,this.transitionTypes=null,this.incompleteTransitions=new Map}function lh(e,t,n,r,i,a,o,s,c,l,u,d){return e=new ch(e,t,n,o,c,l,u,d,s),t=1,!0===a&&(t|=24),a=Di(3,null,null,t),e.current=a,a.stateNode=e,t=Da(),t.refCount++,e.pooledCache=t,t.refCount++,a.memoizedState={element:r,isDehydrated:n,cache:t},lo(a),e}function uh(e){return e?(e=Ti,e):Ti}function dh(e,t,n,r,i,a){i=uh(i),r.context===null?r.context=i:r.pendingContext=i,r=fo(t),r.payload={element:n},a=a===void 0?null:a,a!==null&&(r.callback=a),n=po(e,r,t),n!==null&&(Nd(n,e,t),mo(n,e,t))}function fh(e,t){if(e=e.memoizedState,e!==null&&e.dehydrated!==null){var n=e.retryLane;e.retryLane=n!==0&&n<t?n:t}}function ph(e,t){fh(e,t),(e=e.alternate)&&fh(e,t)}function mh(e){if(e.tag===13||e.tag===31){var t=Si(e,67108864);t!==null&&Nd(t,e,67108864),ph(e,67108864)}}function hh(e){if(e.tag===13||e.tag===31){var t=Ad();t=Et(t);var n=Si(e,t);n!==null&&Nd(n,e,t),ph(e,t)}}var gh=!0;function _h(e,t,n,r){var i=C.T;C.T=null;var a=w.p;try{w.p=2,yh(e,t,n,r)}finally{w.p=a,C.T=i}}function vh(e,t,n,r){var i=C.T;C.T=null;var a=w.p;try{w.p=8,yh(e,t,n,r)}finally{w.p=a,C.T=i}}function yh(e,t,n,r){if(gh){var i=bh(r);if(i===null)Kf(e,t,r,xh,n),Mh(e,r);else if(Ph(i,e,t,n,r))r.stopPropagation();else if(Mh(e,r),t&4&&-1<jh.indexOf(e)){for(;i!==null;){var a=Ht(i);if(a!==null)switch(a.tag){case 3:if(a=a.stateNode,a.current.memoizedState.isDehydrated){var o=O(a.pendingLanes);if(o!==0){var s=a;for(s.pendingLanes|=2,s.entangledLanes|=2;o;){var c=1<<31-ut(o);s.entanglements[1]|=c,o&=~c}Ef(a),!(Y&6)&&(hd=Qe()+500,Df(0,!1))}}break;case 31:case 13:s=Si(a,2),s!==null&&Nd(s,a,2),Rd(),ph(a,2)}if(a=bh(r),a===null&&Kf(e,t,r,xh,n),a===i)break;i=a}i!==null&&r.stopPropagation()}else Kf(e,t,r,null,n)}}function bh(e){return e=kn(e),Sh(e)}var xh=null;function Sh(e){if(xh=null,e=Vt(e),e!==null){var t=o(e);if(t===null)e=null;else{var n=t.tag;if(n===13){if(e=s(t),e!==null)return e;e=null}else if(n===31){if(e=c(t),e!==null)return e;e=null}else if(n===3){if(t.stateNode.current.memoizedState.isDehydrated)return t.tag===3?t.stateNode.containerInfo:null;e=null}else t!==e&&(e=null)}}return xh=e,null}function Ch(e){switch(e){case`beforetoggle`:case`cancel`:case`click`:case`close`:case`contextmenu`:case`copy`:case`cut`:case`auxclick`:case`dblclick`:case`dragend`:case`dragstart`:case`drop`:case`focusin`:case`focusout`:case`input`:case`invalid`:case`keydown`:case`keypress`:case`keyup`:case`mousedown`:case`mouseup`:case`paste`:case`pause`:case`play`:case`pointercancel`:case`pointerdown`:case`pointerup`:case`ratechange`:case`reset`:case`seeked`:case`submit`:case`toggle`:case`touchcancel`:case`touchend`:case`touchstart`:case`volumechange`:case`change`:case`selectionchange`:case`textInput`:case`compositionstart`:case`compositionend`:case`compositionupdate`:case`beforeblur`:case`afterblur`:case`beforeinput`:case`blur`:case`fullscreenchange`:case`fullscreenerror`:case`focus`:case`hashchange`:case`popstate`:case`select`:case`selectstart`:return 2;case`drag`:case`dragenter`:case`dragexit`:case`dragleave`:case`dragover`:case`mousemove`:case`mouseout`:case`mouseover`:case`pointermove`:case`pointerout`:case`pointerover`:case`resize`:case`scroll`:case`touchmove`:case`wheel`:case`mouseenter`:case`mouseleave`:case`pointerenter`:case`pointerleave`:return 8;case`message`:switch($e()){case et:return 2;case tt:return 8;case nt:case rt:return 32;case it:return 268435456;default:return 32}default:return 32}}var wh=!1,Th=null,Eh=null,Dh=null,Oh=new Map,kh=new Map,Ah=[],jh=`mousedown mouseup touchcancel touchend touchstart auxclick dblclick pointercancel pointerdown pointerup dragend dragstart drop compositionend compositionstart keydown keypress keyup input textInput copy cut paste click change contextmenu reset`.split(` `);function Mh(e,t){switch(e){case`focusin`:case`focusout`:Th=null;break;case`dragenter`:case`dragleave`:Eh=null;break;case`mouseover`:case`mouseout`:Dh=null;break;case`pointerover`:case`pointerout`:Oh.delete(t.pointerId);break;case`gotpointercapture`:case`lostpointercapture`:kh.delete(t.pointerId)}}function Nh(e,t,n,r,i,a){return e===null||e.nativeEvent!==a?(e={blockedOn:t,domEventName:n,eventSystemFlags:r,nativeEvent:a,targetContainers:[i]},t!==null&&(t=Ht(t),t!==null&&mh(t)),e):(e.eventSystemFlags|=r,t=e.targetContainers,i!==null&&t.indexOf(i)===-1&&t.push(i),e)}function Ph(e,t,n,r,i){switch(t){case`focusin`:return Th=Nh(Th,e,t,n,r,i),!0;case`dragenter`:return Eh=Nh(Eh,e,t,n,r,i),!0;case`mouseover`:return Dh=Nh(Dh,e,t,n,r,i),!0;case`pointerover`:var a=i.pointerId;return Oh.set(a,Nh(Oh.get(a)||null,e,t,n,r,i)),!0;case`gotpointercapture`:return a=i.pointerId,kh.set(a,Nh(kh.get(a)||null,e,t,n,r,i)),!0}return!1}function Fh(e){var t=Vt(e.target);if(t!==null){var n=o(t);if(n!==null){if(t=n.tag,t===13){if(t=s(n),t!==null){e.blockedOn=t,kt(e.priority,function(){hh(n)});return}}else if(t===31){if(t=c(n),t!==null){e.blockedOn=t,kt(e.priority,function(){hh(n)});return}}else if(t===3&&n.stateNode.current.memoizedState.isDehydrated){e.blockedOn=n.tag===3?n.stateNode.containerInfo:null;return}}}e.blockedOn=null}function Ih(e){if(e.blockedOn!==null)return!1;for(var t=e.targetContainers;0<t.length;){var n=bh(e.nativeEvent);if(n===null){n=e.nativeEvent;var r=new n.constructor(n.type,n);On=r,n.target.dispatchEvent(r),On=null}else return t=Ht(n),t!==null&&mh(t),e.blockedOn=n,!1;t.shift()}return!0}function Lh(e,t,n){Ih(e)&&n.delete(t)}function Rh(){wh=!1,Th!==null&&Ih(Th)&&(Th=null),Eh!==null&&Ih(Eh)&&(Eh=null),Dh!==null&&Ih(Dh)&&(Dh=null),Oh.forEach(Lh),kh.forEach(Lh)}function zh(e,n){e.blockedOn===n&&(e.blockedOn=null,wh||(wh=!0,t.unstable_scheduleCallback(t.unstable_NormalPriority,Rh)))}var Bh=null;function Vh(e){Bh!==e&&(Bh=e,t.unstable_scheduleCallback(t.unstable_NormalPriority,function(){Bh===e&&(Bh=null);for(var t=0;t<e.length;t+=3){var n=e[t],r=e[t+1],i=e[t+2];if(typeof r!=`function`){if(Sh(r||n)===null)continue;break}var a=Ht(n);a!==null&&(e.splice(t,3),t-=3,Xs(a,{pending:!0,data:i,method:n.method,action:r},r,i))}}))}function Hh(e){function t(t){return zh(t,e)}Th!==null&&zh(Th,e),Eh!==null&&zh(Eh,e),Dh!==null&&zh(Dh,e),Oh.forEach(t),kh.forEach(t);for(var n=0;n<Ah.length;n++){var r=Ah[n];r.blockedOn===e&&(r.blockedOn=null)}for(;0<Ah.length&&(n=Ah[0],n.blockedOn===null);)Fh(n),n.blockedOn===null&&Ah.shift();if(n=(e.ownerDocument||e).$$reactFormReplay,n!=null)for(r=0;r<n.length;r+=3){var i=n[r],a=n[r+1],o=i[Mt]||null;if(typeof a==`function`)o||Vh(n);else if(o){var s=null;if(a&&a.hasAttribute(`formAction`)){if(i=a,o=a[Mt]||null)s=o.formAction;else if(Sh(i)!==null)continue}else s=o.action;typeof s==`function`?n[r+1]=s:(n.splice(r,3),r-=3),Vh(n)}}}function Uh(){function e(e){e.canIntercept&&e.info===`react-transition`&&e.intercept({handler:function(){return new Promise(function(e){return i=e})},focusReset:`manual`,scroll:`manual`})}function t(){i!==null&&(i(),i=null),r||setTimeout(n,20)}function n(){if(!r&&!navigation.transition){var e=navigation.currentEntry;e&&e.url!=null&&navigation.navigate(e.url,{state:e.getState(),info:`react-transition`,history:`replace`})}}if(typeof navigation==`object`){var r=!1,i=null;return navigation.addEventListener(`navigate`,e),navigation.addEventListener(`navigatesuccess`,t),navigation.addEventListener(`navigateerror`,t),setTimeout(n,100),function(){r=!0,navigation.removeEventListener(`navigate`,e),navigation.removeEventListener(`navigatesuccess`,t),navigation.removeEventListener(`navigateerror`,t),i!==null&&(i(),i=null)}}}function Wh(e){this._internalRoot=e}Gh.prototype.render=Wh.prototype.render=function(e){var t=this._internalRoot;if(t===null)throw Error(i(409));var n=t.current;dh(n,Ad(),e,t,null,null)},Gh.prototype.unmount=Wh.prototype.unmount=function(){var e=this._internalRoot;if(e!==null){this._internalRoot=null;var t=e.containerInfo;dh(e.current,2,null,e,null,null),Rd(),t[Nt]=null}};function Gh(e){this._internalRoot=e}Gh.prototype.unstable_scheduleHydration=function(e){if(e){var t=Ot();e={blockedOn:null,target:e,priority:t};for(var n=0;n<Ah.length&&t!==0&&t<Ah[n].priority;n++);Ah.splice(n,0,e),n===0&&Fh(e)}};var Kh=n.version;if(Kh!==`19.3.1`)throw Error(i(527,Kh,`19.3.1`));w.findDOMNode=function(e){var t=e._reactInternals;if(t===void 0)throw typeof e.render==`function`?Error(i(188)):(e=Object.keys(e).join(`,`),Error(i(268,e)));return e=d(t),e=e===null?null:p(e),e=e===null?null:e.stateNode,e};var qh={bundleType:0,version:`19.3.1`,rendererPackageName:`react-dom`,currentDispatcherRef:C,reconcilerVersion:`19.3.1`};if(typeof __REACT_DEVTOOLS_GLOBAL_HOOK__<`u`){var Jh=__REACT_DEVTOOLS_GLOBAL_HOOK__;if(!Jh.isDisabled&&Jh.supportsFiber)try{st=Jh.inject(qh),ct=Jh}catch{}}e.createRoot=function(e,t){if(!a(e))throw Error(i(299));var n=!1,r=``,o=yc,s=bc,c=xc;return t!=null&&(!0===t.unstable_strictMode&&(n=!0),t.identifierPrefix!==void 0&&(r=t.identifierPrefix),t.onUncaughtError!==void 0&&(o=t.onUncaughtError),t.onCaughtError!==void 0&&(s=t.onCaughtError),t.onRecoverableError!==void 0&&(c=t.onRecoverableError)),t=lh(e,1,!1,null,null,n,r,null,o,s,c,Uh),e[Nt]=t.current,Wf(e),new Wh(t)}})),g=o(((e,t)=>{function n(){if(typeof __REACT_DEVTOOLS_GLOBAL_HOOK__<`u`&&typeof __REACT_DEVTOOLS_GLOBAL_HOOK__.checkDCE==`function`)try{__REACT_DEVTOOLS_GLOBAL_HOOK__.checkDCE(n)}catch(e){console.error(e)}}n(),t.exports=h()})),_=c(u(),1),v=g();function y(e,t){if(e instanceof RegExp)return{keys:!1,pattern:e};var n,r,i,a,o=[],s=``,c=e.split(`/`);for(c[0]||c.shift();i=c.shift();)n=i[0],n===`*`?(o.push(n),s+=i[1]===`?`?`(?:/(.*))?`:`/(.*)`):n===`:`?(r=i.indexOf(`?`,1),a=i.indexOf(`.`,1),o.push(i.substring(1,~r?r:~a?a:i.length)),s+=~r&&!~a?`(?:/([^/]+?))?`:`/([^/]+?)`,~a&&(s+=(~r?`?`:``)+`\\`+i.substring(a))):s+=`/`+i;return{keys:o,pattern:RegExp(`^`+s+(t?`(?=$|/)`:`/?$`),`i`)}}var b=o((e=>{var t=u();function n(e,t){return e===t&&(e!==0||1/e==1/t)||e!==e&&t!==t}var r=typeof Object.is==`function`?Object.is:n,i=t.useState,a=t.useEffect,o=t.useLayoutEffect,s=t.useDebugValue;function c(e,t){var n=t(),r=i({inst:{value:n,getSnapshot:t}}),c=r[0].inst,u=r[1];return o(function(){c.value=n,c.getSnapshot=t,l(c)&&u({inst:c})},[e,n,t]),a(function(){return l(c)&&u({inst:c}),e(function(){l(c)&&u({inst:c})})},[e]),s(n),n}function l(e){var t=e.getSnapshot;e=e.value;try{var n=t();return!r(e,n)}catch{return!0}}function d(e,t){return t()}var f=typeof window>`u`||window.document===void 0||window.document.createElement===void 0?d:c;e.useSyncExternalStore=t.useSyncExternalStore===void 0?f:t.useSyncExternalStore})),ee=o(((e,t)=>{t.exports=b()}))(),te=_.useInsertionEffect,ne=typeof window<`u`&&window.document!==void 0&&window.document.createElement!==void 0?_.useLayoutEffect:_.useEffect,re=te||ne,x=e=>{let t=_.useRef([e,(...e)=>t[0](...e)]).current;return re(()=>{t[0]=e}),t[1]},ie=[`popstate`,`pushState`,`replaceState`,`hashchange`],S=[],ae=()=>S.forEach(e=>e()),oe=e=>(S.push(e)===1&&ie.forEach(e=>addEventListener(e,ae)),()=>{S=S.filter(t=>t!==e),S.length||ie.forEach(e=>removeEventListener(e,ae))}),se=(e,t)=>(0,ee.useSyncExternalStore)(oe,e,t),ce=()=>location.search,le=({ssrSearch:e}={})=>se(ce,e==null?ce:()=>e),ue=()=>location.pathname,de=({ssrPath:e}={})=>se(ue,e==null?ue:()=>e),fe=(e,{replace:t=!1,state:n=null}={})=>history[t?`replaceState`:`pushState`](n,``,e),pe=e=>[de(e),fe],me=Symbol.for(`wouter_v3`);if(typeof history<`u`&&window[me]===void 0){for(let e of[`pushState`,`replaceState`]){let t=history[e];history[e]=function(){let n=t.apply(this,arguments),r=new Event(e);return r.arguments=arguments,dispatchEvent(r),n}}Object.defineProperty(window,me,{value:!0})}var he=(e=``)=>e===`/`?``:e,ge=(e,t)=>e[0]===`~`?e.slice(1):he(t)+e,_e=(e,t)=>(e=ve(he(e)),t=ve(t),!e||(t.toLowerCase()+`/`).startsWith(e.toLowerCase()+`/`)?t.slice(e.length)||`/`:`~`+t),ve=e=>{try{return e.includes(`%`)?decodeURI(e):e}catch{return e}},ye=e=>ve(e[0]===`?`?e.slice(1):e),be={hook:pe,searchHook:le,parser:y,base:``,ssrPath:void 0,ssrSearch:void 0,ssrContext:void 0,hrefs:e=>e,aroundNav:(e,t,n)=>e(t,n)},xe=(0,_.createContext)(be),Se=()=>(0,_.useContext)(xe),Ce={},we=(0,_.createContext)(Ce),Te=()=>(0,_.useContext)(we),Ee=(e,t=e.base)=>_e(t,e.hook(e)[0]),De=e=>{let[t,n]=e.hook(e);return[_e(e.base,t),x((t,r)=>e.aroundNav(n,ge(t,e.base),r))]},C=()=>De(Se()),w=()=>{let e=Se();return ye(e.searchHook(e))},Oe=(e,t,n,r)=>{let{pattern:i,keys:a}=t instanceof RegExp?{pattern:t}:e(t||`*`,r),o=i.exec(n);if(!o)return[!1,null];let s={};for(let e=1;e<o.length;e++)s[e-1]=o[e];if(a)for(let e=0;e<a.length;e++)s[a[e]]=o[e+1];else Object.assign(s,o.groups);return r?[!0,s,o[0]]:[!0,s]},ke=({children:e,...t})=>{let n=Se(),r=t.hook?be:n,i=r;if(t.ssrPath){let[e,n=t.ssrSearch??``]=t.ssrPath.split(`?`);e&&(t.ssrSearch=n,t.ssrPath=e)}t.hrefs=t.hrefs??t.hook?.hrefs,t.searchHook=t.searchHook??t.hook?.searchHook;let a=(0,_.useRef)(r),o=a.current,s=o;for(let e in r){let n=e===`base`?r[e]+(t[e]??``):t[e]??r[e];n!==s[e]&&(o===s&&(a.current=s={...s}),s[e]=n),(n!==r[e]||n!==i[e])&&(i=s)}return(0,_.createElement)(xe.Provider,{value:i},e)},Ae=({children:e,component:t},n)=>t?(0,_.createElement)(t,{params:n}):typeof e==`function`?e(n):e,je=e=>{let t=(0,_.useRef)(Ce),n=t.current,r=Object.keys(e);return t.current=r.length!==Object.keys(n).length||r.some(t=>e[t]!==n[t])?e:n};function Me(){let[e,t]=C(),n=w(),r=(0,_.useMemo)(()=>new URLSearchParams(n),[n]),i=r;return[r,x((n,r)=>{i=new URLSearchParams(typeof n==`function`?n(i):n);let a=i.toString();t(e+(a?`?`+a:``),r)})]}var T=({path:e,nest:t,match:n,...r})=>{let i=Se(),a=Ee(i),[o,s,c]=n??Oe(i.parser,e,a,t),l=je({...Te(),...s});if(!o)return null;let u=Ae(r,l);return(0,_.createElement)(we.Provider,{value:l},c?(0,_.createElement)(ke,{base:c},u):u)},E=(0,_.forwardRef)((e,t)=>{let n=Se(),[r,i]=De(n),{to:a=``,href:o=a,onClick:s,asChild:c,children:l,className:u,replace:d,state:f,transition:p,...m}=e;return m.onClick=x(t=>{t.ctrlKey||t.metaKey||t.altKey||t.shiftKey||t.button!==0||(s?.(t),t.defaultPrevented||(t.preventDefault(),i(o,e)))}),m.href=n.hrefs(o[0]===`~`?o.slice(1):n.base+o,n),u!==void 0&&(m.className=u?.call?u(r===o):u),t&&(m.ref=t),c&&(0,_.isValidElement)(l)?(0,_.cloneElement)(l,m):(0,_.createElement)(`a`,m,l)}),Ne=(e,t=[])=>{if(Array.isArray(e))for(let n of e)Ne(n&&n.type===_.Fragment?n.props.children:n,t);else t.push(e);return t},Pe=({children:e,location:t})=>{let n=Se(),r=Ee(n);for(let i of Ne(e)){let e=0;if((0,_.isValidElement)(i)&&(e=Oe(n.parser,i.props.path,t||r,i.props.nest))[0])return(0,_.cloneElement)(i,{match:e})}return null},Fe=e=>{let{to:t,href:n=t}=e,r=Se(),[,i]=De(r),a=x(()=>i(t||n,e)),{ssrContext:o}=r;return ne(()=>{a()},[]),o&&(o.redirectTo=t),null};function Ie(e){return e===null?`null`:Array.isArray(e)?`array`:typeof e}function Le(e){return Ie(e)===`object`}function Re(e){return Array.isArray(e)&&e.length>0&&e.every(e=>`message`in e)}function ze(e,t){return e.length<124?e:t}var Be=(e=>(e[e.InternalServerError=4500]=`InternalServerError`,e[e.InternalClientError=4005]=`InternalClientError`,e[e.BadRequest=4400]=`BadRequest`,e[e.BadResponse=4004]=`BadResponse`,e[e.Unauthorized=4401]=`Unauthorized`,e[e.Forbidden=4403]=`Forbidden`,e[e.SubprotocolNotAcceptable=4406]=`SubprotocolNotAcceptable`,e[e.ConnectionInitialisationTimeout=4408]=`ConnectionInitialisationTimeout`,e[e.ConnectionAcknowledgementTimeout=4504]=`ConnectionAcknowledgementTimeout`,e[e.SubscriberAlreadyExists=4409]=`SubscriberAlreadyExists`,e[e.TooManyInitialisationRequests=4429]=`TooManyInitialisationRequests`,e))(Be||{}),Ve=(e=>(e.ConnectionInit=`connection_init`,e.ConnectionAck=`connection_ack`,e.Ping=`ping`,e.Pong=`pong`,e.Subscribe=`subscribe`,e.Next=`next`,e.Error=`error`,e.Complete=`complete`,e))(Ve||{});function He(e){if(!Le(e))throw Error(`Message is expected to be an object, but got ${Ie(e)}`);if(!e.type)throw Error(`Message is missing the 'type' property`);if(typeof e.type!=`string`)throw Error(`Message is expects the 'type' property to be a string, but got ${Ie(e.type)}`);switch(e.type){case`connection_init`:case`connection_ack`:case`ping`:case`pong`:if(e.payload!=null&&!Le(e.payload))throw Error(`"${e.type}" message expects the 'payload' property to be an object or nullish or missing, but got "${e.payload}"`);break;case`subscribe`:if(typeof e.id!=`string`)throw Error(`"${e.type}" message expects the 'id' property to be a string, but got ${Ie(e.id)}`);if(!e.id)throw Error(`"${e.type}" message requires a non-empty 'id' property`);if(!Le(e.payload))throw Error(`"${e.type}" message expects the 'payload' property to be an object, but got ${Ie(e.payload)}`);if(typeof e.payload.query!=`string`)throw Error(`"${e.type}" message payload expects the 'query' property to be a string, but got ${Ie(e.payload.query)}`);if(e.payload.variables!=null&&!Le(e.payload.variables))throw Error(`"${e.type}" message payload expects the 'variables' property to be a an object or nullish or missing, but got ${Ie(e.payload.variables)}`);if(e.payload.operationName!=null&&Ie(e.payload.operationName)!==`string`)throw Error(`"${e.type}" message payload expects the 'operationName' property to be a string or nullish or missing, but got ${Ie(e.payload.operationName)}`);if(e.payload.extensions!=null&&!Le(e.payload.extensions))throw Error(`"${e.type}" message payload expects the 'extensions' property to be a an object or nullish or missing, but got ${Ie(e.payload.extensions)}`);break;case`next`:if(typeof e.id!=`string`)throw Error(`"${e.type}" message expects the 'id' property to be a string, but got ${Ie(e.id)}`);if(!e.id)throw Error(`"${e.type}" message requires a non-empty 'id' property`);if(!Le(e.payload))throw Error(`"${e.type}" message expects the 'payload' property to be an object, but got ${Ie(e.payload)}`);break;case`error`:if(typeof e.id!=`string`)throw Error(`"${e.type}" message expects the 'id' property to be a string, but got ${Ie(e.id)}`);if(!e.id)throw Error(`"${e.type}" message requires a non-empty 'id' property`);if(!Re(e.payload))throw Error(`"${e.type}" message expects the 'payload' property to be an array of GraphQL errors, but got ${JSON.stringify(e.payload)}`);break;case`complete`:if(typeof e.id!=`string`)throw Error(`"${e.type}" message expects the 'id' property to be a string, but got ${Ie(e.id)}`);if(!e.id)throw Error(`"${e.type}" message requires a non-empty 'id' property`);break;default:throw Error(`Invalid message 'type' property "${e.type}"`)}return e}function Ue(e,t){return He(typeof e==`string`?JSON.parse(e,t):e)}function We(e,t){return He(e),JSON.stringify(e,t)}function Ge(e){let{url:t,connectionParams:n,lazy:r=!0,onNonLazyError:i=console.error,lazyCloseTimeout:a=0,keepAlive:o=0,disablePong:s,connectionAckWaitTimeout:c=0,retryAttempts:l=5,retryWait:u=async function(e){let t=2**e;await new Promise(e=>setTimeout(e,t*1e3+Math.floor(Math.random()*2700+300)))},shouldRetry:d=qe,on:f,webSocketImpl:p,generateID:m=function(){return`xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx`.replace(/[xy]/g,e=>{let t=Math.random()*16|0;return(e==`x`?t:t&3|8).toString(16)})},jsonMessageReplacer:h,jsonMessageReviver:g}=e,_;if(p){if(!Ye(p))throw Error(`Invalid WebSocket implementation provided`);_=p}else typeof WebSocket<`u`?_=WebSocket:typeof global<`u`?_=global.WebSocket||global.MozWebSocket:typeof window<`u`&&(_=window.WebSocket||window.MozWebSocket);if(!_)throw Error("WebSocket implementation missing; on Node you can `import WebSocket from 'ws';` and pass `webSocketImpl: WebSocket` to `createClient`");let v=_,y=(()=>{let e=(()=>{let e={};return{on(t,n){return e[t]=n,()=>{delete e[t]}},emit(t){`id`in t&&e[t.id]?.(t)}}})(),t={connecting:f?.connecting?[f.connecting]:[],opened:f?.opened?[f.opened]:[],connected:f?.connected?[f.connected]:[],ping:f?.ping?[f.ping]:[],pong:f?.pong?[f.pong]:[],message:f?.message?[e.emit,f.message]:[e.emit],closed:f?.closed?[f.closed]:[],error:f?.error?[f.error]:[]};return{onMessage:e.on,on(e,n){let r=t[e];return r.push(n),()=>{let e=r.indexOf(n);e>-1&&r.splice(e,1)}},emit(e,...n){for(let r of[...t[e]])r(...n)}}})();function b(e){let t=[y.on(`error`,n=>{t.forEach(e=>e()),e(n)}),y.on(`closed`,n=>{t.forEach(e=>e()),e(n)})];return()=>t.forEach(e=>e())}let ee,te=0,ne,re=!1,x=0,ie=!1;async function S(){clearTimeout(ne);let[e,r]=await(ee??=new Promise((e,r)=>(async()=>{if(re){if(await u(x),!te)return ee=void 0,r({code:1e3,reason:`All Subscriptions Gone`});x++}y.emit(`connecting`,re);let i=new v(typeof t==`function`?await t():t,`graphql-transport-ws`),a,l;function d(){isFinite(o)&&o>0&&(clearTimeout(l),l=setTimeout(()=>{i.readyState===v.OPEN&&(i.send(We({type:Ve.Ping})),y.emit(`ping`,!1,void 0))},o))}b(e=>{ee=void 0,clearTimeout(a),clearTimeout(l),r(e),e instanceof Ke&&(i.close(4499,`Terminated`),i.onerror=null,i.onclose=null)}),i.onerror=e=>y.emit(`error`,e),i.onclose=e=>y.emit(`closed`,e),i.onopen=async()=>{try{y.emit(`opened`,i);let e=typeof n==`function`?await n():n;if(i.readyState!==v.OPEN)return;i.send(We(e?{type:Ve.ConnectionInit,payload:e}:{type:Ve.ConnectionInit},h)),isFinite(c)&&c>0&&(a=setTimeout(()=>{i.close(Be.ConnectionAcknowledgementTimeout,`Connection acknowledgement timeout`)},c)),d()}catch(e){y.emit(`error`,e),i.close(Be.InternalClientError,ze(e instanceof Error?e.message:String(e),`Internal client error`))}};let f=!1;i.onmessage=({data:t})=>{try{let n=Ue(t,g);if(y.emit(`message`,n),n.type===`ping`||n.type===`pong`){y.emit(n.type,!0,n.payload),n.type===`pong`?d():s||(i.send(We(n.payload?{type:Ve.Pong,payload:n.payload}:{type:Ve.Pong},h)),y.emit(`pong`,!1,n.payload));return}if(f)return;if(n.type!==Ve.ConnectionAck)throw Error(`First message cannot be of type ${n.type}`);clearTimeout(a),f=!0,y.emit(`connected`,i,n.payload,re),re=!1,x=0;let r=new Promise((e,t)=>b(t));r.catch(()=>{}),e([i,r])}catch(e){i.onmessage=null,y.emit(`error`,e),i.close(Be.BadResponse,ze(e instanceof Error?e.message:String(e),`Bad response`))}}})()));e.readyState===v.CLOSING&&await r;let i=()=>{},l=new Promise(e=>i=e);return[e,i,new Promise((t,n)=>{let i=b(n);e.readyState!==v.OPEN&&r.catch(n),l.then(()=>{if(i(),!te){let t=()=>e.close(1e3,`Normal Closure`);isFinite(a)&&a>0?(clearTimeout(ne),ne=setTimeout(()=>{!te&&e.readyState===v.OPEN&&t()},a)):t()}t()})})]}function ae(e){if(qe(e)&&(Je(e.code)||[Be.InternalServerError,Be.InternalClientError,Be.BadRequest,Be.BadResponse,Be.Unauthorized,Be.SubprotocolNotAcceptable,Be.SubscriberAlreadyExists,Be.TooManyInitialisationRequests].includes(e.code)))throw e;if(ie)return!1;if(qe(e)&&e.code===1e3)return te>0;if(!l||x>=l||!d(e))throw e;return re=!0}r||(async()=>{for(te++;;)try{let[,,e]=await S();await e}catch(e){try{if(!ae(e))return}catch(e){return i?.(e)}}})();function oe(e,t){let n=m(e),r=!1,i=!1,a=()=>{te--,r=!0};return(async()=>{for(te++;;)try{let[o,s,c]=await S();if(r)return c.catch(()=>{}),s();let l=y.onMessage(n,e=>{switch(e.type){case Ve.Next:t.next(e.payload);return;case Ve.Error:i=!0,r=!0,t.error(e.payload),a();return;case Ve.Complete:r=!0,a();return}});o.send(We({id:n,type:Ve.Subscribe,payload:e},h)),a=()=>{!r&&o.readyState===v.OPEN&&o.send(We({id:n,type:Ve.Complete},h)),te--,r=!0,s()},await c.finally(l);return}catch(e){if(!ae(e))return}})().then(()=>{i||t.complete()}).catch(e=>{t.error(e)}),()=>{r||a()}}return{on:y.on,subscribe:oe,iterate(e){let t=[],n={done:!1,error:null,resolve:()=>{}},r=oe(e,{next(e){t.push(e),n.resolve()},error(e){n.done=!0,n.error=e,n.resolve()},complete(){n.done=!0,n.resolve()}}),i=async function*(){for(;;){for(t.length||await new Promise(e=>n.resolve=e);t.length;)yield t.shift();if(n.error)throw n.error;if(n.done)return}}();return i.throw=async e=>(n.done||(n.done=!0,n.error=e,n.resolve()),{done:!0,value:void 0}),i.return=async()=>(r(),{done:!0,value:void 0}),i},async dispose(){if(ie=!0,ee){let[e]=await ee;e.close(1e3,`Normal Closure`)}},terminate(){ee&&y.emit(`closed`,new Ke)}}}var Ke=class extends Error{name=`TerminatedCloseEvent`;message=`4499: Terminated`;code=4499;reason=`Terminated`;wasClean=!1};function qe(e){return Le(e)&&`code`in e&&`reason`in e}function Je(e){return![1e3,1001,1006,1005,1012,1013,1014].includes(e)&&e>=1e3&&e<=1999}function Ye(e){return typeof e==`function`&&`constructor`in e&&`CLOSED`in e&&`CLOSING`in e&&`CONNECTING`in e&&`OPEN`in e}var Xe=class extends Error{code;fields;constructor(e,t=``,n=[]){super(e),this.code=t,this.fields=n}};function Ze({message:e,extensions:t}){let n=t?.fields??[];return new Xe(e,t?.code,n.map(e=>({...e,path:e.path.replace(/^input\./,``)})))}var Qe=(e,t)=>e?`${e}.${t}`:t;function $e(e,t){return e.filter(e=>e.path===t||e.path.startsWith(`${t}.`)).map(e=>e.message).join(`; `)}function et(e){let t=new Map;for(let n of e instanceof Xe?e.fields:[]){let[,e,r=``]=/^definition\.steps\.(\d+)\.?(.*)$/.exec(n.path)??[];e!==void 0&&t.set(Number(e),[...t.get(Number(e))??[],{...n,path:r}])}return t}function tt([e]){return Number(/^variants\.(\d+)/.exec(e?.path??``)?.[1]??-1)}function nt(e,t,n){if(e.trim()===``)return null;try{return JSON.parse(e)}catch(e){let r=`${t} is not valid JSON: ${e.message}`;throw new Xe(r,``,n?[{path:n,message:r}]:[])}}function rt(e){try{return JSON.parse(e)}catch{return}}async function it(e,t){try{return await fetch(e,t)}catch{throw new Xe(`The server cannot be reached. Check the connection and try again.`)}}var at=e=>new Xe(`The server returned status ${e}. Try again in a moment.`),ot=new EventTarget;function st(e){return ot.addEventListener(`end`,e),()=>ot.removeEventListener(`end`,e)}function ct(e){return ot.addEventListener(`enrol`,e),()=>ot.removeEventListener(`enrol`,e)}async function lt(e,t){let n=await it(`/graphql`,{method:`POST`,headers:{"Content-Type":`application/json`,Accept:`application/graphql-response+json`},body:JSON.stringify({query:e.toString(),variables:t})}),r=await n.json().catch(()=>null),i=r?.errors?.[0];if(n.status===401&&ot.dispatchEvent(new Event(`end`)),i)throw i.extensions?.code===`SECOND_FACTOR_MISSING`&&ot.dispatchEvent(new Event(`enrol`)),Ze(i);if(!r?.data)throw at(n.status);return r.data}async function ut(e,t){let n=await it(`/dashboard/session`,{method:e,headers:{"Content-Type":`application/json`},body:t&&JSON.stringify(t)});if(n.ok)return;let r=await n.json().catch(()=>null);throw r?.message?new Xe(r.message,r.code):at(n.status)}async function dt(){let e=await it(`/dashboard/session`);if(!e.ok)throw at(e.status);return await e.json()}var ft=(e,t,n=``)=>ut(`POST`,{email:e,password:t,code:n}),pt=()=>ut(`DELETE`),mt=new BroadcastChannel(`carillon`);mt.onmessage=()=>location.reload();async function ht(e){await ut(`PUT`,{environmentId:e}),mt.postMessage(`moved`)}function D(e,t,n=!1){let r=JSON.stringify(t),[i,a]=(0,_.useState)({loading:!n}),[o,s]=(0,_.useState)(0);return(0,_.useEffect)(()=>{if(n)return;let t=!0;return a(e=>({...e,loading:!0})),lt(e,JSON.parse(r)).then(e=>t&&a({data:e,loading:!1}),e=>t&&a(t=>({data:t.data,error:e,loading:!1}))),()=>{t=!1}},[e,r,o,n]),{...i,reload:(0,_.useCallback)(()=>s(e=>e+1),[])}}function O(e,t){let[n,r]=(0,_.useState)({busy:!1});return{run:async n=>{r({busy:!0});try{let i=await lt(e,n);return r({busy:!1}),t?.(i),!0}catch(e){return r({busy:!1,error:e}),!1}},...n,clear:()=>r({busy:!1})}}var gt=Ge({url:()=>`${location.origin.replace(/^http/,`ws`)}/graphql`,retryAttempts:1/0,shouldRetry:()=>!0}),_t=1e3;function vt(e,t,n,r,i=!1){let a=JSON.stringify(t),o=(0,_.useRef)(n);o.current=n;let s=(0,_.useRef)(r);s.current=r,(0,_.useEffect)(()=>gt.on(`connected`,(e,t,n)=>n&&s.current()),[]),(0,_.useEffect)(()=>{if(i)return;let t=setTimeout(()=>s.current(),_t),n=gt.subscribe({query:e.toString(),variables:JSON.parse(a)},{next:e=>e.data&&o.current(e.data),error:()=>{},complete:()=>{}});return()=>{clearTimeout(t),n()}},[e,a,i])}var k=class extends String{__apiType;value;__meta__;constructor(e,t){super(e),this.value=e,this.__meta__=t}toString(){return this.value}};new k(`
    fragment NotificationRow on Notification {
  id
  internalId
  transactionId
  status
  failures
  createdAt
  finishedAt
  workflow {
    identifier
    name
  }
  subscriber {
    subscriberId
    firstName
    lastName
  }
}
    `,{fragmentName:`NotificationRow`}),new k(`
    fragment NotificationTrace on Notification {
  ...NotificationRow
  eventId
  workflowVersionId
  dueAt
  topics
  contextKeys
  trace {
    at
    count
    lastAt
    stepId
    channel
    reason
    reasons
    detail
    integrationId
    messageId
    attempt
    until
    data
  }
  messages(first: 100) {
    nodes {
      id
      internalId
      stepId
      channel
      status
      target
      providerId
      errorText
      providerMessageId
      receipt
      attemptCount
      subject
      title
      content {
        text
        html
      }
      read
      seen
      createdAt
    }
  }
}
    fragment NotificationRow on Notification {
  id
  internalId
  transactionId
  status
  failures
  createdAt
  finishedAt
  workflow {
    identifier
    name
  }
  subscriber {
    subscriberId
    firstName
    lastName
  }
}`,{fragmentName:`NotificationTrace`}),new k(`
    fragment DayParts on DaySchedule {
  isEnabled
  hours {
    start
    end
  }
}
    `,{fragmentName:`DayParts`}),new k(`
    fragment FilterParts on StepFilter {
  isNegated
  type
  value
  children {
    field
    value
    operator
    on
  }
}
    `,{fragmentName:`FilterParts`}),new k(`
    fragment InAppParts on InAppControls {
  subject
  body
  avatar
  redirect
  primaryAction {
    label
    url
  }
  secondaryAction {
    label
    url
  }
  feedId
  data
}
    `,{fragmentName:`InAppParts`}),new k(`
    fragment EmailParts on EmailControls {
  subject
  html
  blocks {
    type
    content
    url
    styles {
      textAlign
    }
  }
  text
  preheader
  senderName
  from
  replyTo
  layoutId
  noLayout
}
    `,{fragmentName:`EmailParts`}),new k(`
    fragment DefinitionParts on WorkflowDefinition {
  steps {
    id
    stepId
    name
    type
    active
    shouldStopOnFail
    filters {
      ...FilterParts
    }
    unknownOutcome
    allowDuplicate
    deadlineSeconds
    inApp {
      ...InAppParts
    }
    email {
      ...EmailParts
    }
    sms {
      body
    }
    chat {
      body
    }
    push {
      subject
      body
      data
    }
    digest {
      type
      amount
      unit
      digestKey
      backoff
      backoffAmount
      backoffUnit
      updateMode
      extendToSchedule
      timed {
        atTime
        weekDays
        monthDays
        ordinal
        ordinalValue
        monthlyType
      }
    }
    delay {
      type
      amount
      unit
      delayPath
      past
      extendToSchedule
    }
    throttle {
      threshold
      amount
      unit
      throttleKey
      windowPath
      invalid
    }
    trigger {
      workflow
      payload
    }
    custom {
      url
      method
      headers
      body
      timeoutSeconds
    }
    replyCallback {
      active
      url
    }
    variants {
      id
      name
      filters {
        ...FilterParts
      }
      inApp {
        ...InAppParts
      }
      email {
        ...EmailParts
      }
      sms {
        body
      }
      chat {
        body
      }
      push {
        subject
        body
        data
      }
    }
  }
  conditions {
    ...FilterParts
  }
  payloadSchema
  validatePayload
  strictVariables
  preferences {
    email
    sms
    inApp
    chat
    push
  }
  critical
  severity
  versioning
  drain
  holdUntilOpen
  tags
  data
  translations
}
    fragment FilterParts on StepFilter {
  isNegated
  type
  value
  children {
    field
    value
    operator
    on
  }
}
fragment InAppParts on InAppControls {
  subject
  body
  avatar
  redirect
  primaryAction {
    label
    url
  }
  secondaryAction {
    label
    url
  }
  feedId
  data
}
fragment EmailParts on EmailControls {
  subject
  html
  blocks {
    type
    content
    url
    styles {
      textAlign
    }
  }
  text
  preheader
  senderName
  from
  replyTo
  layoutId
  noLayout
}`,{fragmentName:`DefinitionParts`});var yt=new k(`
    query Activity($first: Int, $after: String, $last: Int, $before: String, $filter: NotificationFilter) {
  notifications(
    first: $first
    after: $after
    last: $last
    before: $before
    filter: $filter
  ) {
    nodes {
      ...NotificationRow
    }
    pageInfo {
      hasPreviousPage
      hasNextPage
      startCursor
      endCursor
    }
  }
}
    fragment NotificationRow on Notification {
  id
  internalId
  transactionId
  status
  failures
  createdAt
  finishedAt
  workflow {
    identifier
    name
  }
  subscriber {
    subscriberId
    firstName
    lastName
  }
}`),bt=new k(`
    query Notification($id: ID!) {
  notification(id: $id) {
    ...NotificationTrace
  }
}
    fragment NotificationRow on Notification {
  id
  internalId
  transactionId
  status
  failures
  createdAt
  finishedAt
  workflow {
    identifier
    name
  }
  subscriber {
    subscriberId
    firstName
    lastName
  }
}
fragment NotificationTrace on Notification {
  ...NotificationRow
  eventId
  workflowVersionId
  dueAt
  topics
  contextKeys
  trace {
    at
    count
    lastAt
    stepId
    channel
    reason
    reasons
    detail
    integrationId
    messageId
    attempt
    until
    data
  }
  messages(first: 100) {
    nodes {
      id
      internalId
      stepId
      channel
      status
      target
      providerId
      errorText
      providerMessageId
      receipt
      attemptCount
      subject
      title
      content {
        text
        html
      }
      read
      seen
      createdAt
    }
  }
}`),xt=new k(`
    query Attempts($message: String!, $first: Int, $after: String, $last: Int, $before: String) {
  attempts(
    first: $first
    after: $after
    last: $last
    before: $before
    orderBy: {field: ID, direction: ASC}
    filter: {messageId: $message}
  ) {
    nodes {
      id
      number
      providerId
      outcome
      httpStatus
      code
      errorText
      class
      providerMessageId
      createdAt
      finishedAt
    }
    pageInfo {
      hasPreviousPage
      hasNextPage
      startCursor
      endCursor
    }
  }
}
    `),St=new k(`
    query Event($id: ID!) {
  event(id: $id) {
    id
    transactionId
    kind
    status
    payload
    overrides
    notified
    failures
    requestId
    createdAt
  }
}
    `),Ct=new k(`
    subscription ActivityLive($filter: NotificationWatchFilter) {
  notificationUpdates(filter: $filter) {
    ...NotificationRow
  }
}
    fragment NotificationRow on Notification {
  id
  internalId
  transactionId
  status
  failures
  createdAt
  finishedAt
  workflow {
    identifier
    name
  }
  subscriber {
    subscriberId
    firstName
    lastName
  }
}`),wt=new k(`
    subscription TraceLive($filter: NotificationWatchFilter) {
  notificationUpdates(filter: $filter) {
    ...NotificationTrace
  }
}
    fragment NotificationRow on Notification {
  id
  internalId
  transactionId
  status
  failures
  createdAt
  finishedAt
  workflow {
    identifier
    name
  }
  subscriber {
    subscriberId
    firstName
    lastName
  }
}
fragment NotificationTrace on Notification {
  ...NotificationRow
  eventId
  workflowVersionId
  dueAt
  topics
  contextKeys
  trace {
    at
    count
    lastAt
    stepId
    channel
    reason
    reasons
    detail
    integrationId
    messageId
    attempt
    until
    data
  }
  messages(first: 100) {
    nodes {
      id
      internalId
      stepId
      channel
      status
      target
      providerId
      errorText
      providerMessageId
      receipt
      attemptCount
      subject
      title
      content {
        text
        html
      }
      read
      seen
      createdAt
    }
  }
}`),Tt=new k(`
    query Audit($first: Int, $after: String, $last: Int, $before: String, $filter: AuditEntryFilter, $organization: Boolean!) {
  auditEntries(
    first: $first
    after: $after
    last: $last
    before: $before
    filter: $filter
    organization: $organization
  ) {
    nodes {
      id
      actorType
      actorId
      actorName
      address
      action
      recordType
      recordId
      changes
      createdAt
    }
    pageInfo {
      hasPreviousPage
      hasNextPage
      startCursor
      endCursor
    }
  }
}
    `),Et=new k(`
    query CaughtMessages($first: Int, $after: String, $last: Int, $before: String, $filter: CaughtMessageFilter) {
  caughtMessages(
    first: $first
    after: $after
    last: $last
    before: $before
    filter: $filter
  ) {
    nodes {
      id
      channel
      recipient
      subject
      body
      createdAt
    }
    pageInfo {
      hasPreviousPage
      hasNextPage
      startCursor
      endCursor
    }
  }
}
    `),Dt=new k(`
    query CaughtMessage($id: ID!) {
  caughtMessage(id: $id) {
    id
    channel
    providerId
    recipient
    subject
    body
    html
    details
    createdAt
  }
}
    `),Ot=new k(`
    mutation ClearCaught {
  clearCaughtMessages
}
    `),kt=new k(`
    query Environments($first: Int, $after: String, $last: Int, $before: String) {
  environments(
    first: $first
    after: $after
    last: $last
    before: $before
    orderBy: {field: NAME, direction: ASC}
  ) {
    nodes {
      id
      identifier
      name
      type
      suspended
      defaultLocale
      createdAt
    }
    pageInfo {
      hasPreviousPage
      hasNextPage
      startCursor
      endCursor
    }
  }
}
    `),At=new k(`
    mutation CreateEnvironment($input: CreateEnvironmentInput!) {
  createEnvironment(input: $input) {
    id
  }
}
    `),jt=new k(`
    mutation UpdateEnvironment($input: UpdateEnvironmentInput!) {
  updateEnvironment(input: $input) {
    id
  }
}
    `),Mt=new k(`
    mutation DeleteEnvironment($id: ID!, $name: String!) {
  deleteEnvironment(id: $id, name: $name) {
    id
  }
}
    `),Nt=new k(`
    query Keys($environmentId: ID, $first: Int, $after: String, $last: Int, $before: String) {
  apiKeys(
    environmentId: $environmentId
    first: $first
    after: $after
    last: $last
    before: $before
  ) {
    nodes {
      id
      name
      hint
      scopes
      successorId
      lastUsedAt
      expiresAt
      revokedAt
      createdAt
    }
    pageInfo {
      hasPreviousPage
      hasNextPage
      startCursor
      endCursor
    }
  }
}
    `),Pt=new k(`
    mutation CreateKey($input: CreateAPIKeyInput!) {
  createApiKey(input: $input) {
    key
  }
}
    `),Ft=new k(`
    mutation RotateKey($id: ID!, $environmentId: ID, $overlap: String!) {
  rotateApiKey(id: $id, environmentId: $environmentId, overlap: $overlap) {
    key
  }
}
    `),It=new k(`
    mutation RotateInboxSecret {
  rotateInboxSecret
}
    `),Lt=new k(`
    mutation RevokeKey($id: ID!, $environmentId: ID) {
  revokeApiKey(id: $id, environmentId: $environmentId) {
    id
  }
}
    `),Rt=new k(`
    query Members($first: Int, $after: String, $last: Int, $before: String) {
  members(first: $first, after: $after, last: $last, before: $before) {
    nodes {
      id
      role
      user {
        id
        internalId
        email
        firstName
        lastName
        lastLoginAt
        secondFactorAt
      }
    }
    pageInfo {
      hasPreviousPage
      hasNextPage
      startCursor
      endCursor
    }
  }
}
    `),zt=new k(`
    query Invitations($first: Int, $after: String, $last: Int, $before: String) {
  invitations(first: $first, after: $after, last: $last, before: $before) {
    nodes {
      id
      email
      role
      invitedBy
      expiresAt
    }
    pageInfo {
      hasPreviousPage
      hasNextPage
      startCursor
      endCursor
    }
  }
}
    `),Bt=new k(`
    mutation CreateInvitation($input: CreateInvitationInput!) {
  createInvitation(input: $input) {
    url
    mailed
    invitation {
      email
    }
  }
}
    `),Vt=new k(`
    mutation DeleteInvitation($id: ID!) {
  deleteInvitation(id: $id) {
    id
  }
}
    `),Ht=new k(`
    mutation CreatePasswordReset($userId: ID!) {
  createPasswordReset(userId: $userId) {
    url
    mailed
    user {
      email
    }
  }
}
    `),Ut=new k(`
    mutation EndLogIns($userId: ID!) {
  endLogIns(userId: $userId) {
    id
  }
}
    `),Wt=new k(`
    mutation UpdateMember($input: UpdateMemberInput!) {
  updateMember(input: $input) {
    id
  }
}
    `),Gt=new k(`
    mutation DeleteMember($id: ID!) {
  deleteMember(id: $id) {
    id
  }
}
    `),Kt=new k(`
    query Organization {
  currentOrganization {
    id
    name
    requireSecondFactor
  }
}
    `),qt=new k(`
    mutation UpdateOrganization($input: UpdateOrganizationInput!) {
  updateOrganization(input: $input) {
    id
  }
}
    `),Jt=new k(`
    query OrganizationKeys($first: Int, $after: String, $last: Int, $before: String) {
  organizationKeys(first: $first, after: $after, last: $last, before: $before) {
    nodes {
      id
      name
      hint
      scopes
      successorId
      lastUsedAt
      expiresAt
      revokedAt
    }
    pageInfo {
      hasPreviousPage
      hasNextPage
      startCursor
      endCursor
    }
  }
}
    `),Yt=new k(`
    mutation CreateOrganizationKey($input: CreateOrganizationKeyInput!) {
  createOrganizationKey(input: $input) {
    key
  }
}
    `),Xt=new k(`
    mutation RotateOrganizationKey($id: ID!, $overlap: String!) {
  rotateOrganizationKey(id: $id, overlap: $overlap) {
    key
  }
}
    `),Zt=new k(`
    mutation RevokeOrganizationKey($id: ID!) {
  revokeOrganizationKey(id: $id) {
    id
  }
}
    `),Qt=new k(`
    query Integrations($first: Int, $after: String, $last: Int, $before: String, $filter: IntegrationFilter) {
  integrations(
    first: $first
    after: $after
    last: $last
    before: $before
    filter: $filter
  ) {
    nodes {
      id
      identifier
      name
      providerId
      channel
      active
      primary
      breaker
      breakerCause
      breakerFailures
      breakerProbeAt
      rateLimit
      learnedRate
      updatedAt
    }
    pageInfo {
      hasPreviousPage
      hasNextPage
      startCursor
      endCursor
    }
  }
}
    `),$t=new k(`
    query Integration($id: ID!) {
  integration(id: $id) {
    id
    identifier
    name
    providerId
    channel
    active
    primary
    rateLimit
    inboundPath
    breaker
    breakerCause
    breakerFailures
    breakerOpenedAt
    breakerProbeAt
    configurations {
      inboundWebhookEnabled
      inboundWebhookSigningKey
    }
    conditions {
      ...FilterParts
    }
    credentials {
      apiKey
      user
      secretKey
      domain
      password
      host
      port
      region
      accountSid
      messageProfileId
      token
      from
      senderName
      projectName
      applicationId
      clientId
      baseUrl
      webhookUrl
      redirectUrl
      serviceAccount
      ipPoolName
      apiKeyRequestHeader
      secretKeyRequestHeader
      idPath
      datePath
      apiToken
      authenticationTokenKey
      instanceId
      alertUid
      title
      imageUrl
      state
      externalLink
      channelId
      phoneNumberIdentification
      accessKey
      appSid
      senderId
      tenantId
      AppIOBaseUrl
      secure
      requireTls
      ignoreTls
      hmac
      authenticateByToken
    }
  }
}
    fragment FilterParts on StepFilter {
  isNegated
  type
  value
  children {
    field
    value
    operator
    on
  }
}`),en=new k(`
    query Providers {
  providers {
    id
    name
    channel
    credentials {
      name
      label
      kind
      required
      requiredIf
      secret
      options
      default
    }
    capabilities {
      receipts
    }
  }
}
    `),A=new k(`
    mutation CreateIntegration($input: CreateIntegrationInput!) {
  createIntegration(input: $input) {
    id
  }
}
    `),tn=new k(`
    mutation UpdateIntegration($input: UpdateIntegrationInput!) {
  updateIntegration(input: $input) {
    id
  }
}
    `),nn=new k(`
    mutation SetPrimaryIntegration($id: ID!) {
  setPrimaryIntegration(id: $id) {
    id
  }
}
    `),rn=new k(`
    mutation DeleteIntegration($id: ID!) {
  deleteIntegration(id: $id) {
    id
  }
}
    `),an=new k(`
    mutation ResetBreaker($id: ID!) {
  resetIntegrationBreaker(id: $id) {
    id
  }
}
    `),on=new k(`
    mutation TestIntegration($input: TestIntegrationInput!) {
  testIntegration(input: $input) {
    outcome
    httpStatus
    code
    errorText
    class
    providerMessageId
  }
}
    `),sn=new k(`
    query Layouts($first: Int, $after: String, $last: Int, $before: String, $filter: LayoutFilter) {
  layouts(
    first: $first
    after: $after
    last: $last
    before: $before
    filter: $filter
  ) {
    nodes {
      id
      identifier
      name
      isDefault
      updatedAt
    }
    pageInfo {
      hasPreviousPage
      hasNextPage
      startCursor
      endCursor
    }
  }
}
    `),cn=new k(`
    query Layout($identifier: String!) {
  layoutByIdentifier(identifier: $identifier) {
    id
    internalId
    identifier
    name
    content
    isDefault
    createdAt
    updatedAt
  }
}
    `),ln=new k(`
    mutation CreateLayout($input: CreateLayoutInput!) {
  createLayout(input: $input) {
    identifier
  }
}
    `),un=new k(`
    mutation UpdateLayout($input: UpdateLayoutInput!) {
  updateLayout(input: $input) {
    id
  }
}
    `),dn=new k(`
    mutation DeleteLayout($id: ID!) {
  deleteLayout(id: $id) {
    id
  }
}
    `),fn=new k(`
    query Statistics($from: Time!, $buckets: Int!) {
  deliveryStatistics(from: $from, buckets: $buckets) {
    from
    to
    bucketSeconds
    buckets {
      start
      messages
      sent
      failed
      pending
      estimated
      latency {
        p50
        p95
        p99
      }
      providers {
        providerId
        accepted
        rejected
        unknown
      }
    }
  }
}
    `),pn=new k(`
    query PromotionPlan($input: PromotionInput!) {
  promotionPlan(input: $input) {
    fingerprint
    changes {
      kind
      name
      action
      fields {
        path
        words {
          change
          text
        }
      }
    }
    dependencies {
      kind
      name
      included
      neededBy {
        kind
        name
      }
    }
    issues {
      workflow
      stepId
      message
    }
  }
}
    `),mn=new k(`
    mutation Promote($input: PromotionInput!) {
  promote(input: $input) {
    plan {
      changes {
        name
      }
    }
  }
}
    `),hn=new k(`
    query Promotions($first: Int, $after: String, $last: Int, $before: String) {
  promotions(first: $first, after: $after, last: $last, before: $before) {
    nodes {
      id
      sourceIdentifier
      actorType
      actorName
      undoesId
      undoneById
      createdAt
      resources {
        kind
        name
        action
        sourceVersion
        version
      }
    }
    pageInfo {
      hasPreviousPage
      hasNextPage
      startCursor
      endCursor
    }
  }
}
    `),gn=new k(`
    mutation UndoPromotion($id: ID!) {
  undoPromotion(id: $id) {
    plan {
      changes {
        name
      }
    }
  }
}
    `),_n=new k(`
    query Snippets($first: Int, $after: String, $last: Int, $before: String, $filter: SnippetFilter) {
  snippets(
    first: $first
    after: $after
    last: $last
    before: $before
    filter: $filter
  ) {
    nodes {
      id
      identifier
      name
      updatedAt
    }
    pageInfo {
      hasPreviousPage
      hasNextPage
      startCursor
      endCursor
    }
  }
}
    `),vn=new k(`
    query Snippet($identifier: String!) {
  snippetByIdentifier(identifier: $identifier) {
    id
    identifier
    name
    content
  }
}
    `),yn=new k(`
    query SnippetUsage($identifier: String!) {
  snippetUsage(identifier: $identifier) {
    workflows {
      identifier
    }
    layouts {
      identifier
    }
    snippets {
      identifier
    }
  }
}
    `),bn=new k(`
    mutation CreateSnippet($input: CreateSnippetInput!) {
  createSnippet(input: $input) {
    identifier
  }
}
    `),xn=new k(`
    mutation UpdateSnippet($input: UpdateSnippetInput!) {
  updateSnippet(input: $input) {
    id
  }
}
    `),Sn=new k(`
    mutation DeleteSnippet($id: ID!, $force: Boolean!) {
  deleteSnippet(id: $id, force: $force) {
    id
  }
}
    `),Cn=new k(`
    query Subscribers($first: Int, $after: String, $last: Int, $before: String, $filter: SubscriberFilter) {
  subscribers(
    first: $first
    after: $after
    last: $last
    before: $before
    filter: $filter
  ) {
    nodes {
      id
      subscriberId
      firstName
      lastName
      email
      phone
      isOnline
      createdAt
    }
    pageInfo {
      hasPreviousPage
      hasNextPage
      startCursor
      endCursor
    }
  }
}
    `),wn=new k(`
    query Subscriber($subscriberId: String!) {
  subscriberBySubscriberId(subscriberId: $subscriberId) {
    id
    internalId
    subscriberId
    firstName
    lastName
    email
    phone
    avatar
    locale
    timezone
    data
    isOnline
    lastOnlineAt
    createdAt
    updatedAt
    schedule {
      isEnabled
      weeklySchedule {
        monday {
          ...DayParts
        }
        tuesday {
          ...DayParts
        }
        wednesday {
          ...DayParts
        }
        thursday {
          ...DayParts
        }
        friday {
          ...DayParts
        }
        saturday {
          ...DayParts
        }
        sunday {
          ...DayParts
        }
      }
    }
    channels(first: 100) {
      nodes {
        id
        providerId
        credentials {
          webhookUrl
          deviceTokens
          channel
        }
      }
    }
  }
}
    fragment DayParts on DaySchedule {
  isEnabled
  hours {
    start
    end
  }
}`),Tn=new k(`
    mutation CreateSubscriber($input: CreateSubscriberInput!) {
  createSubscriber(input: $input) {
    subscriberId
  }
}
    `),En=new k(`
    mutation UpdateSubscriber($input: UpdateSubscriberInput!) {
  updateSubscriber(input: $input) {
    id
  }
}
    `),Dn=new k(`
    mutation SetSchedule($input: SetScheduleInput!) {
  setSchedule(input: $input) {
    id
  }
}
    `),On=new k(`
    mutation DeleteSubscriber($id: ID!) {
  deleteSubscriber(id: $id) {
    id
  }
}
    `),kn=new k(`
    query Preferences($subscriberId: String!) {
  subscriberPreferences(subscriberId: $subscriberId, criticality: ALL) {
    global {
      enabled
      channels {
        email
        sms
        inApp
        chat
        push
      }
    }
    workflows {
      enabled
      channels {
        email
        sms
        inApp
        chat
        push
      }
      overrides {
        channel
        enabled
        source
      }
      workflow {
        id
        identifier
        name
        critical
      }
    }
  }
}
    `),An=new k(`
    mutation SetGlobalPreferences($input: SetGlobalPreferencesInput!) {
  setGlobalPreferences(input: $input) {
    enabled
  }
}
    `),jn=new k(`
    mutation UpdatePreferences($input: UpdatePreferencesInput!) {
  updatePreferences(input: $input) {
    enabled
  }
}
    `),Mn=new k(`
    query SubscriberSubscriptions($subscriberId: String!, $first: Int, $after: String, $last: Int, $before: String) {
  subscriberSubscriptions(
    subscriberId: $subscriberId
    first: $first
    after: $after
    last: $last
    before: $before
  ) {
    nodes {
      id
      identifier
      name
      contextKeys
      createdAt
      topic {
        key
        name
      }
    }
    pageInfo {
      hasPreviousPage
      hasNextPage
      startCursor
      endCursor
    }
  }
}
    `),Nn=new k(`
    query Messages($first: Int, $after: String, $last: Int, $before: String, $filter: MessageFilter) {
  messages(
    first: $first
    after: $after
    last: $last
    before: $before
    filter: $filter
  ) {
    nodes {
      id
      notificationId
      transactionId
      channel
      status
      target
      providerId
      errorText
      subject
      title
      read
      seen
      archived
      createdAt
      workflow {
        identifier
        name
      }
    }
    pageInfo {
      hasPreviousPage
      hasNextPage
      startCursor
      endCursor
    }
  }
}
    `),Pn=new k(`
    query Tenants($first: Int, $after: String, $last: Int, $before: String, $filter: TenantFilter) {
  tenants(
    first: $first
    after: $after
    last: $last
    before: $before
    filter: $filter
  ) {
    nodes {
      id
      identifier
      name
      createdAt
    }
    pageInfo {
      hasPreviousPage
      hasNextPage
      startCursor
      endCursor
    }
  }
}
    `),Fn=new k(`
    query Tenant($identifier: String!) {
  tenantByIdentifier(identifier: $identifier) {
    id
    internalId
    identifier
    name
    data
    createdAt
    updatedAt
  }
}
    `),In=new k(`
    query TenantWorkflows($tenant: String!, $first: Int, $after: String, $last: Int, $before: String) {
  tenantWorkflows(
    first: $first
    after: $after
    last: $last
    before: $before
    filter: {tenantIdentifier: $tenant}
  ) {
    nodes {
      id
      active
      preferences {
        email
        sms
        inApp
        chat
        push
      }
      workflow {
        id
        identifier
        name
      }
    }
    pageInfo {
      hasPreviousPage
      hasNextPage
      startCursor
      endCursor
    }
  }
}
    `),Ln=new k(`
    mutation CreateTenant($input: CreateTenantInput!) {
  createTenant(input: $input) {
    identifier
  }
}
    `),Rn=new k(`
    mutation UpdateTenant($input: UpdateTenantInput!) {
  updateTenant(input: $input) {
    id
  }
}
    `),zn=new k(`
    mutation DeleteTenant($id: ID!) {
  deleteTenant(id: $id) {
    id
  }
}
    `),Bn=new k(`
    mutation SetTenantWorkflow($input: SetTenantWorkflowInput!) {
  setTenantWorkflow(input: $input) {
    id
  }
}
    `),Vn=new k(`
    mutation DeleteTenantWorkflow($id: ID!) {
  deleteTenantWorkflow(id: $id) {
    id
  }
}
    `),Hn=new k(`
    query Topics($first: Int, $after: String, $last: Int, $before: String, $filter: TopicFilter) {
  topics(
    first: $first
    after: $after
    last: $last
    before: $before
    filter: $filter
  ) {
    nodes {
      id
      key
      name
      createdAt
    }
    pageInfo {
      hasPreviousPage
      hasNextPage
      startCursor
      endCursor
    }
  }
}
    `),Un=new k(`
    query Topic($key: String!) {
  topicByKey(key: $key) {
    id
    internalId
    key
    name
    createdAt
    updatedAt
  }
}
    `),Wn=new k(`
    query TopicSubscriptions($key: String!, $first: Int, $after: String, $last: Int, $before: String) {
  subscriptions(
    first: $first
    after: $after
    last: $last
    before: $before
    filter: {topicKey: $key}
  ) {
    nodes {
      id
      identifier
      name
      contextKeys
      createdAt
      subscriber {
        subscriberId
        firstName
        lastName
      }
    }
    pageInfo {
      hasPreviousPage
      hasNextPage
      startCursor
      endCursor
    }
  }
}
    `),Gn=new k(`
    mutation CreateTopic($input: CreateTopicInput!) {
  createTopic(input: $input) {
    key
  }
}
    `),Kn=new k(`
    mutation UpdateTopic($input: UpdateTopicInput!) {
  updateTopic(input: $input) {
    id
  }
}
    `),qn=new k(`
    mutation DeleteTopic($id: ID!) {
  deleteTopic(id: $id) {
    id
  }
}
    `),Jn=new k(`
    mutation Subscribe($input: CreateSubscriptionsInput!) {
  createSubscriptions(input: $input) {
    errors {
      subscriberId
      message
    }
  }
}
    `),Yn=new k(`
    mutation Unsubscribe($input: DeleteSubscriptionsInput!) {
  deleteSubscriptions(input: $input) {
    errors {
      message
    }
  }
}
    `),Xn=new k(`
    query Translations($first: Int, $after: String, $last: Int, $before: String) {
  translations(first: $first, after: $after, last: $last, before: $before) {
    nodes {
      id
      locale
      content
      updatedAt
    }
    pageInfo {
      hasPreviousPage
      hasNextPage
      startCursor
      endCursor
    }
  }
}
    `),Zn=new k(`
    query Translation($locale: String!) {
  translationByLocale(locale: $locale) {
    id
    locale
    content
    updatedAt
  }
  viewer {
    environment {
      defaultLocale
    }
  }
}
    `),Qn=new k(`
    query DefaultTexts($locales: [String!]) {
  translations(first: 1, filter: {localeIn: $locales}) {
    nodes {
      id
      content
    }
  }
}
    `),$n=new k(`
    query MissingTranslations($first: Int, $after: String, $last: Int, $before: String, $filter: MissingTranslationFilter) {
  missingTranslations(
    first: $first
    after: $after
    last: $last
    before: $before
    filter: $filter
  ) {
    nodes {
      key
      locales
      usages {
        kind
        name
        path
        line
      }
    }
    pageInfo {
      hasPreviousPage
      hasNextPage
      startCursor
      endCursor
    }
    totalCount
  }
}
    `),er=new k(`
    mutation CreateTranslation($input: CreateTranslationInput!) {
  createTranslation(input: $input) {
    locale
  }
}
    `),tr=new k(`
    mutation UpdateTranslation($input: UpdateTranslationInput!) {
  updateTranslation(input: $input) {
    id
  }
}
    `),nr=new k(`
    mutation DeleteTranslation($id: ID!) {
  deleteTranslation(id: $id) {
    id
  }
}
    `),rr=new k(`
    query Variables($first: Int, $after: String, $last: Int, $before: String) {
  variables(first: $first, after: $after, last: $last, before: $before) {
    nodes {
      id
      name
      secret
      value
      updatedAt
    }
    pageInfo {
      hasPreviousPage
      hasNextPage
      startCursor
      endCursor
    }
  }
}
    `),ir=new k(`
    query VariableUsages($id: ID!) {
  variableUsages(id: $id) {
    kind
    name
    path
  }
}
    `),ar=new k(`
    mutation CreateVariable($input: CreateVariableInput!) {
  createVariable(input: $input) {
    id
  }
}
    `),or=new k(`
    mutation UpdateVariable($input: UpdateVariableInput!) {
  updateVariable(input: $input) {
    id
  }
}
    `),sr=new k(`
    mutation DeleteVariable($id: ID!, $evenIfUsed: Boolean!) {
  deleteVariable(id: $id, evenIfUsed: $evenIfUsed) {
    id
  }
}
    `),cr=new k(`
    query Workflows($first: Int, $after: String, $last: Int, $before: String, $filter: WorkflowFilter) {
  workflows(
    first: $first
    after: $after
    last: $last
    before: $before
    filter: $filter
  ) {
    nodes {
      id
      identifier
      name
      active
      severity
      critical
      tags
      publishedNumber
      lastTriggeredAt
      updatedAt
      issues {
        issueType
      }
    }
    pageInfo {
      hasPreviousPage
      hasNextPage
      startCursor
      endCursor
    }
  }
}
    `),lr=new k(`
    query Workflow($reference: String!) {
  workflowByReference(reference: $reference) {
    id
    identifier
    name
    description
    active
    publishedNumber
    issues {
      stepId
      key
      issueType
      message
    }
    draft {
      ...DefinitionParts
    }
  }
}
    fragment FilterParts on StepFilter {
  isNegated
  type
  value
  children {
    field
    value
    operator
    on
  }
}
fragment InAppParts on InAppControls {
  subject
  body
  avatar
  redirect
  primaryAction {
    label
    url
  }
  secondaryAction {
    label
    url
  }
  feedId
  data
}
fragment EmailParts on EmailControls {
  subject
  html
  blocks {
    type
    content
    url
    styles {
      textAlign
    }
  }
  text
  preheader
  senderName
  from
  replyTo
  layoutId
  noLayout
}
fragment DefinitionParts on WorkflowDefinition {
  steps {
    id
    stepId
    name
    type
    active
    shouldStopOnFail
    filters {
      ...FilterParts
    }
    unknownOutcome
    allowDuplicate
    deadlineSeconds
    inApp {
      ...InAppParts
    }
    email {
      ...EmailParts
    }
    sms {
      body
    }
    chat {
      body
    }
    push {
      subject
      body
      data
    }
    digest {
      type
      amount
      unit
      digestKey
      backoff
      backoffAmount
      backoffUnit
      updateMode
      extendToSchedule
      timed {
        atTime
        weekDays
        monthDays
        ordinal
        ordinalValue
        monthlyType
      }
    }
    delay {
      type
      amount
      unit
      delayPath
      past
      extendToSchedule
    }
    throttle {
      threshold
      amount
      unit
      throttleKey
      windowPath
      invalid
    }
    trigger {
      workflow
      payload
    }
    custom {
      url
      method
      headers
      body
      timeoutSeconds
    }
    replyCallback {
      active
      url
    }
    variants {
      id
      name
      filters {
        ...FilterParts
      }
      inApp {
        ...InAppParts
      }
      email {
        ...EmailParts
      }
      sms {
        body
      }
      chat {
        body
      }
      push {
        subject
        body
        data
      }
    }
  }
  conditions {
    ...FilterParts
  }
  payloadSchema
  validatePayload
  strictVariables
  preferences {
    email
    sms
    inApp
    chat
    push
  }
  critical
  severity
  versioning
  drain
  holdUntilOpen
  tags
  data
  translations
}`),ur=new k(`
    query Versions($reference: String!, $first: Int, $after: String, $last: Int, $before: String) {
  workflowByReference(reference: $reference) {
    draft {
      ...DefinitionParts
    }
    versions(first: $first, after: $after, last: $last, before: $before) {
      nodes {
        id
        number
        createdAt
        publishedBy
      }
      pageInfo {
        hasPreviousPage
        hasNextPage
        startCursor
        endCursor
      }
    }
  }
}
    fragment FilterParts on StepFilter {
  isNegated
  type
  value
  children {
    field
    value
    operator
    on
  }
}
fragment InAppParts on InAppControls {
  subject
  body
  avatar
  redirect
  primaryAction {
    label
    url
  }
  secondaryAction {
    label
    url
  }
  feedId
  data
}
fragment EmailParts on EmailControls {
  subject
  html
  blocks {
    type
    content
    url
    styles {
      textAlign
    }
  }
  text
  preheader
  senderName
  from
  replyTo
  layoutId
  noLayout
}
fragment DefinitionParts on WorkflowDefinition {
  steps {
    id
    stepId
    name
    type
    active
    shouldStopOnFail
    filters {
      ...FilterParts
    }
    unknownOutcome
    allowDuplicate
    deadlineSeconds
    inApp {
      ...InAppParts
    }
    email {
      ...EmailParts
    }
    sms {
      body
    }
    chat {
      body
    }
    push {
      subject
      body
      data
    }
    digest {
      type
      amount
      unit
      digestKey
      backoff
      backoffAmount
      backoffUnit
      updateMode
      extendToSchedule
      timed {
        atTime
        weekDays
        monthDays
        ordinal
        ordinalValue
        monthlyType
      }
    }
    delay {
      type
      amount
      unit
      delayPath
      past
      extendToSchedule
    }
    throttle {
      threshold
      amount
      unit
      throttleKey
      windowPath
      invalid
    }
    trigger {
      workflow
      payload
    }
    custom {
      url
      method
      headers
      body
      timeoutSeconds
    }
    replyCallback {
      active
      url
    }
    variants {
      id
      name
      filters {
        ...FilterParts
      }
      inApp {
        ...InAppParts
      }
      email {
        ...EmailParts
      }
      sms {
        body
      }
      chat {
        body
      }
      push {
        subject
        body
        data
      }
    }
  }
  conditions {
    ...FilterParts
  }
  payloadSchema
  validatePayload
  strictVariables
  preferences {
    email
    sms
    inApp
    chat
    push
  }
  critical
  severity
  versioning
  drain
  holdUntilOpen
  tags
  data
  translations
}`),dr=new k(`
    query Version($id: ID!) {
  workflowVersion(id: $id) {
    number
    definition {
      ...DefinitionParts
    }
  }
}
    fragment FilterParts on StepFilter {
  isNegated
  type
  value
  children {
    field
    value
    operator
    on
  }
}
fragment InAppParts on InAppControls {
  subject
  body
  avatar
  redirect
  primaryAction {
    label
    url
  }
  secondaryAction {
    label
    url
  }
  feedId
  data
}
fragment EmailParts on EmailControls {
  subject
  html
  blocks {
    type
    content
    url
    styles {
      textAlign
    }
  }
  text
  preheader
  senderName
  from
  replyTo
  layoutId
  noLayout
}
fragment DefinitionParts on WorkflowDefinition {
  steps {
    id
    stepId
    name
    type
    active
    shouldStopOnFail
    filters {
      ...FilterParts
    }
    unknownOutcome
    allowDuplicate
    deadlineSeconds
    inApp {
      ...InAppParts
    }
    email {
      ...EmailParts
    }
    sms {
      body
    }
    chat {
      body
    }
    push {
      subject
      body
      data
    }
    digest {
      type
      amount
      unit
      digestKey
      backoff
      backoffAmount
      backoffUnit
      updateMode
      extendToSchedule
      timed {
        atTime
        weekDays
        monthDays
        ordinal
        ordinalValue
        monthlyType
      }
    }
    delay {
      type
      amount
      unit
      delayPath
      past
      extendToSchedule
    }
    throttle {
      threshold
      amount
      unit
      throttleKey
      windowPath
      invalid
    }
    trigger {
      workflow
      payload
    }
    custom {
      url
      method
      headers
      body
      timeoutSeconds
    }
    replyCallback {
      active
      url
    }
    variants {
      id
      name
      filters {
        ...FilterParts
      }
      inApp {
        ...InAppParts
      }
      email {
        ...EmailParts
      }
      sms {
        body
      }
      chat {
        body
      }
      push {
        subject
        body
        data
      }
    }
  }
  conditions {
    ...FilterParts
  }
  payloadSchema
  validatePayload
  strictVariables
  preferences {
    email
    sms
    inApp
    chat
    push
  }
  critical
  severity
  versioning
  drain
  holdUntilOpen
  tags
  data
  translations
}`),fr=new k(`
    mutation CreateWorkflow($input: CreateWorkflowInput!) {
  createWorkflow(input: $input) {
    identifier
  }
}
    `),pr=new k(`
    mutation SaveWorkflow($input: UpdateWorkflowInput!) {
  updateWorkflow(input: $input) {
    id
    name
    description
    publishedNumber
    draft {
      ...DefinitionParts
    }
  }
}
    fragment FilterParts on StepFilter {
  isNegated
  type
  value
  children {
    field
    value
    operator
    on
  }
}
fragment InAppParts on InAppControls {
  subject
  body
  avatar
  redirect
  primaryAction {
    label
    url
  }
  secondaryAction {
    label
    url
  }
  feedId
  data
}
fragment EmailParts on EmailControls {
  subject
  html
  blocks {
    type
    content
    url
    styles {
      textAlign
    }
  }
  text
  preheader
  senderName
  from
  replyTo
  layoutId
  noLayout
}
fragment DefinitionParts on WorkflowDefinition {
  steps {
    id
    stepId
    name
    type
    active
    shouldStopOnFail
    filters {
      ...FilterParts
    }
    unknownOutcome
    allowDuplicate
    deadlineSeconds
    inApp {
      ...InAppParts
    }
    email {
      ...EmailParts
    }
    sms {
      body
    }
    chat {
      body
    }
    push {
      subject
      body
      data
    }
    digest {
      type
      amount
      unit
      digestKey
      backoff
      backoffAmount
      backoffUnit
      updateMode
      extendToSchedule
      timed {
        atTime
        weekDays
        monthDays
        ordinal
        ordinalValue
        monthlyType
      }
    }
    delay {
      type
      amount
      unit
      delayPath
      past
      extendToSchedule
    }
    throttle {
      threshold
      amount
      unit
      throttleKey
      windowPath
      invalid
    }
    trigger {
      workflow
      payload
    }
    custom {
      url
      method
      headers
      body
      timeoutSeconds
    }
    replyCallback {
      active
      url
    }
    variants {
      id
      name
      filters {
        ...FilterParts
      }
      inApp {
        ...InAppParts
      }
      email {
        ...EmailParts
      }
      sms {
        body
      }
      chat {
        body
      }
      push {
        subject
        body
        data
      }
    }
  }
  conditions {
    ...FilterParts
  }
  payloadSchema
  validatePayload
  strictVariables
  preferences {
    email
    sms
    inApp
    chat
    push
  }
  critical
  severity
  versioning
  drain
  holdUntilOpen
  tags
  data
  translations
}`),mr=new k(`
    mutation SetWorkflowActive($id: ID!, $active: Boolean!) {
  setWorkflowActive(id: $id, active: $active) {
    id
  }
}
    `),hr=new k(`
    mutation DeleteWorkflow($id: ID!) {
  deleteWorkflow(id: $id) {
    id
  }
}
    `),gr=new k(`
    query PreviewStep($input: PreviewStepInput!) {
  previewStep(input: $input) {
    subject
    from
    replyTo
    content {
      text
      html
    }
    cta {
      data {
        url
      }
      action {
        buttons {
          type
          content
          url
        }
      }
    }
    error
  }
}
    `),_r=new k(`
    query Explain($input: TriggerEventInput!) {
  explain(input: $input) {
    status
    error
    now
    invalid {
      path
      reason
    }
    recipients {
      subscriberId
      created
      reached
      reason
      status
      steps {
        stepId
        type
        decision
        at
        until
        channel
        reason
        detail
        condition {
          text
        }
        message {
          integrationIdentifier
          to
          subject
          content {
            text
            html
          }
        }
      }
    }
  }
}
    `),vr=new k(`
    mutation Trigger($input: TriggerEventInput!) {
  triggerEvent(input: $input) {
    status
    error
    transactionId
  }
}
    `),yr=new k(`
    query Clock {
  environmentClock {
    now
    virtual
    frozen
    settled
  }
}
    `),br=new k(`
    mutation AdvanceClock($by: String!) {
  advanceClock(by: $by) {
    now
    settled
  }
}
    `),xr=new k(`
    mutation ResetClock {
  resetClock {
    now
  }
}
    `),Sr=new k(`
    query InvitationOffer($token: String!) {
  invitationOffer(token: $token) {
    organizationName
    email
    role
    invitedBy
    expiresAt
    logInFirst
  }
}
    `),Cr=new k(`
    mutation AcceptInvitation($input: AcceptInvitationInput!) {
  acceptInvitation(input: $input) {
    environmentId
  }
}
    `),wr=new k(`
    mutation RequestPasswordReset($email: String!) {
  requestPasswordReset(email: $email)
}
    `),Tr=new k(`
    mutation ResetPassword($input: ResetPasswordInput!) {
  resetPassword(input: $input)
}
    `),Er=new k(`
    mutation BeginSecondFactor($password: String!) {
  beginSecondFactor(password: $password) {
    secret
    uri
    qrCode
  }
}
    `),Dr=new k(`
    mutation ConfirmSecondFactor($code: String!) {
  confirmSecondFactor(code: $code)
}
    `),Or=new k(`
    mutation RemoveSecondFactor($input: RemoveSecondFactorInput!) {
  removeSecondFactor(input: $input) {
    id
  }
}
    `),kr=new k(`
    mutation ReplaceRecoveryCodes($input: ReplaceRecoveryCodesInput!) {
  replaceRecoveryCodes(input: $input)
}
    `),Ar=new k(`
    mutation SetPassword($input: SetPasswordInput!) {
  setPassword(input: $input) {
    id
  }
}
    `),jr=new k(`
    query Viewer {
  viewer {
    role
    verifiedElsewhere
    user {
      internalId
      email
      firstName
      lastName
      secondFactorAt
    }
    environment {
      id
      internalId
      name
      identifier
      type
    }
  }
  environments(first: 100, orderBy: {field: NAME, direction: ASC}) {
    nodes {
      id
      name
      identifier
      type
    }
  }
}
    `),Mr=`/dashboard/assets/icon-If5wspVR.svg`,Nr={KEY:0,ORGANIZATION_KEY:0,VIEWER:1,EDITOR:2,ADMIN:3,OWNER:4},Pr=[`OWNER`,`ADMIN`,`EDITOR`,`VIEWER`],Fr=(e,t)=>Nr[e]>=Nr[t],Ir=e=>Pr.filter(t=>Fr(e,t)),Lr=(0,_.createContext)(`OWNER`);function Rr(e){return Fr((0,_.useContext)(Lr),e)}function j({needs:e=`EDITOR`,children:t}){return Rr(e)?t:null}var zr=`script, link, iframe, frame, frameset, object, embed, base, meta[http-equiv], form, template`,Br=new Set([`srcset`,`background`,`poster`,`ping`,`action`,`formaction`]);function Vr(e){let t=new DOMParser().parseFromString(e,`text/html`);for(let e of t.querySelectorAll(zr))e.remove();for(let e of t.querySelectorAll(`*`))for(let t of[...e.attributes])Hr(e,t);for(let e of t.querySelectorAll(`style`))e.textContent=Ur(e.textContent);for(let e of t.querySelectorAll(`a, area`))e.setAttribute(`target`,`_blank`),e.setAttribute(`rel`,`noopener noreferrer`);return t.documentElement.outerHTML}function Hr(e,t){let n=/^\s*(data:|#)/i.test(t.value),r=[`a`,`area`].includes(e.localName)&&/^\s*(https?|mailto|tel):/i.test(t.value);t.name.startsWith(`on`)||Br.has(t.name)||t.name===`src`&&!n||/(^|:)href$/.test(t.name)&&!n&&!r?e.removeAttribute(t.name):t.name===`style`&&(t.value=Ur(t.value))}function Ur(e){return e.replace(/@import[^;]*;?/gi,``).replace(/(url|image-set|src)\(\s*(["']?)(?!\s*(["']?)\s*(data:|#))[^)]*\)/gi,`none`)}var Wr=({after:e,before:t},n)=>({variables:t?{last:25,before:t}:{first:25,after:e},first:!e&&!t,go:n}),Gr=(e,t=``)=>({after:e.get(`${t}after`)??void 0,before:e.get(`${t}before`)??void 0});function Kr(e,t,n=``){for(let r of[`after`,`before`]){let i=t[r];i?e.set(n+r,i):e.delete(n+r)}return e}function qr(e,t,n,r=``){return n?e.set(r+t,n):e.delete(r+t),Kr(e,{},r)}function Jr(e,t){return{previous:!e.first&&(t.hasPreviousPage||t.startCursor===null)?t.startCursor?{before:t.startCursor}:{}:void 0,next:t.hasNextPage&&t.endCursor?{after:t.endCursor}:void 0}}function Yr(e,t,n=25){let r=Math.min(t,Math.max(0,Math.ceil(e.length/n)-1)),i=r*n,a=Math.min(i+n,e.length);return{at:r,from:i,to:a,rows:e.slice(i,a),isLast:a===e.length}}var Xr=o((e=>{var t=Symbol.for(`react.transitional.element`),n=Symbol.for(`react.fragment`);function r(e,n,r){var i=null;if(r!==void 0&&(i=``+r),n.key!==void 0&&(i=``+n.key),`key`in n)for(var a in r={},n)a!==`key`&&(r[a]=n[a]);else r=n;return n=r.ref,{$$typeof:t,type:e,key:i,ref:n===void 0?null:n,props:r}}e.Fragment=n,e.jsx=r,e.jsxs=r})),M=o(((e,t)=>{t.exports=Xr()}))();function Zr({title:e,actions:t,children:n}){return(0,_.useEffect)(()=>{document.title=`${e} · Carillon`},[e]),(0,M.jsxs)(M.Fragment,{children:[(0,M.jsxs)(`div`,{className:`head`,children:[(0,M.jsx)(`h1`,{children:e}),t&&(0,M.jsx)(`div`,{className:`row`,children:t})]}),n]})}function N({title:e,actions:t,children:n}){return(0,M.jsxs)(`section`,{className:`card stack`,children:[(e||t)&&(0,M.jsxs)(`div`,{className:`head`,children:[e&&(0,M.jsx)(`h2`,{children:e}),t&&(0,M.jsx)(`div`,{className:`row`,children:t})]}),n]})}function P({tone:e=``,children:t}){return(0,M.jsx)(`span`,{className:`badge ${e}`,children:t})}function F({error:e}){if(!e)return null;let t=e instanceof Xe?e.fields:[];return(0,M.jsx)(`div`,{className:`note bad`,role:`alert`,children:t.length===0?e.message:(0,M.jsxs)(M.Fragment,{children:[`Please correct these fields:`,(0,M.jsx)(`ul`,{children:t.map((e,t)=>(0,M.jsxs)(`li`,{children:[(0,M.jsx)(`code`,{children:e.path}),` `,e.message]},t))})]})})}function I({of:e,children:t}){return(0,M.jsxs)(M.Fragment,{children:[(0,M.jsx)(F,{error:e.error}),e.error&&(0,M.jsx)(`div`,{children:(0,M.jsx)(`button`,{type:`button`,disabled:e.loading,onClick:e.reload,children:`Try again`})}),e.data?t(e.data):e.loading&&(0,M.jsx)(`p`,{className:`soft`,children:`Loading …`})]})}function L({label:e,rows:t,columns:n,id:r,empty:i=`Nothing here yet.`}){return t.length===0?(0,M.jsx)(`p`,{className:`soft`,children:i}):(0,M.jsxs)(`table`,{className:`wide`,children:[(0,M.jsx)(`caption`,{className:`hidden`,children:e}),(0,M.jsx)(`thead`,{children:(0,M.jsx)(`tr`,{children:n.map(e=>(0,M.jsx)(`th`,{scope:`col`,children:e.name||(0,M.jsx)(`span`,{className:`hidden`,children:`Actions`})},e.name))})}),(0,M.jsx)(`tbody`,{children:t.map(e=>(0,M.jsx)(`tr`,{children:n.map(t=>(0,M.jsx)(`td`,{"data-label":t.name,children:t.cell(e)},t.name))},r(e)))})]})}function R({pager:e,info:t}){let{previous:n,next:r}=Jr(e,t);return!n&&!r?null:(0,M.jsxs)(`nav`,{className:`row`,"aria-label":`Pages`,children:[(0,M.jsx)(`button`,{type:`button`,disabled:!n,onClick:()=>n&&e.go(n),children:`Previous`}),(0,M.jsx)(`button`,{type:`button`,disabled:!r,onClick:()=>r&&e.go(r),children:`Next`})]})}function Qr({title:e,onClose:t,children:n}){let r=(0,_.useRef)(null);return(0,_.useLayoutEffect)(()=>{let e=r.current;return e.showModal(),()=>e.close()},[]),(0,M.jsx)(`dialog`,{ref:r,"aria-label":e,onClose:e=>e.target===r.current&&t(),children:(0,M.jsxs)(`div`,{className:`stack`,children:[(0,M.jsxs)(`div`,{className:`head`,children:[(0,M.jsx)(`h2`,{children:e}),(0,M.jsx)(`button`,{type:`button`,onClick:t,children:`Close`})]}),n]})})}function $r({label:e,question:t,onConfirm:n,busy:r,needs:i=`EDITOR`}){let[a,o]=(0,_.useState)(!1);return Rr(i)?(0,M.jsxs)(M.Fragment,{children:[(0,M.jsx)(`button`,{type:`button`,className:`danger`,disabled:r,onClick:()=>o(!0),children:e}),a&&(0,M.jsxs)(Qr,{title:e,onClose:()=>o(!1),children:[(0,M.jsx)(`p`,{children:t}),(0,M.jsxs)(`div`,{className:`row end`,children:[(0,M.jsx)(`button`,{type:`button`,onClick:()=>o(!1),children:`Cancel`}),(0,M.jsx)(`button`,{type:`button`,className:`danger`,onClick:()=>{o(!1),n()},children:e})]})]})]}):null}var ei=new Intl.DateTimeFormat(void 0,{dateStyle:`medium`,timeStyle:`medium`});function z({at:e}){return e?(0,M.jsx)(`time`,{dateTime:e,title:e,children:ei.format(new Date(e))}):(0,M.jsx)(`span`,{className:`soft`,children:`–`})}function ti({value:e,label:t}){return(0,M.jsx)(`pre`,{tabIndex:0,role:`region`,"aria-label":t,children:JSON.stringify(e,null,2)})}function ni({of:e}){return(0,M.jsx)(`dl`,{className:`facts`,children:Object.entries(e).map(([e,t])=>(0,M.jsxs)(`div`,{style:{display:`contents`},children:[(0,M.jsx)(`dt`,{children:e}),(0,M.jsx)(`dd`,{children:t??(0,M.jsx)(`span`,{className:`soft`,children:`–`})})]},e))})}function ri({label:e,tabs:t,current:n}){return(0,M.jsx)(`nav`,{className:`tabs`,"aria-label":e,children:t.map(([e,t])=>(0,M.jsx)(E,{href:t,"aria-current":e===n?`page`:void 0,children:e},e))})}function ii({html:e,title:t}){return(0,M.jsx)(`iframe`,{className:`mail`,sandbox:`allow-popups allow-popups-to-escape-sandbox`,title:t,srcDoc:Vr(e)})}function ai({what:e,secret:t}){let[n,r]=(0,_.useState)(``),i=(0,_.useRef)(null);return(0,M.jsx)(`div`,{role:`status`,children:t&&(0,M.jsxs)(`div`,{className:`note good`,children:[e,` is shown only once: `,(0,M.jsx)(`code`,{ref:i,children:t}),` `,(0,M.jsx)(`button`,{type:`button`,onClick:async()=>{try{await navigator.clipboard.writeText(t),r(`Copied.`)}catch{getSelection()?.selectAllChildren(i.current),r(`Selected. Press Ctrl+C to copy.`)}},children:`Copy`}),` `,n]})})}function B(e){let t=e.toLowerCase().replaceAll(`_`,` `);return(t.charAt(0).toUpperCase()+t.slice(1)).replace(/^Sms$/,`SMS`).replace(/^In app$/,`In-app`).replace(/^Email$/,`E-mail`)}var oi=(e,t)=>`${e} ${t}${e===1?``:`s`}`,si=(0,_.createContext)({fields:[],path:``});function ci({error:e,children:t}){return(0,M.jsx)(si,{value:{fields:e instanceof Xe?e.fields:[],path:``},children:t})}function li({path:e,children:t}){let n=(0,_.useContext)(si);return(0,M.jsx)(si,{value:{...n,path:Qe(n.path,e)},children:t})}function ui(e){let{fields:t,path:n}=(0,_.useContext)(si);return e===void 0?``:$e(t,Qe(n,e))}function di({label:e,hint:t,at:n,wrong:r=``,children:i}){let a=ui(n),o=r||a,s=(0,_.useId)(),c={"aria-invalid":o?!0:void 0,"aria-describedby":[t&&`${s}hint`,o&&`${s}wrong`].filter(Boolean).join(` `)||void 0};return(0,M.jsxs)(`div`,{className:`field`,children:[(0,M.jsxs)(`label`,{children:[(0,M.jsx)(`span`,{children:e}),i(c)]}),t&&(0,M.jsx)(`small`,{className:`soft`,id:`${s}hint`,children:t}),o&&(0,M.jsx)(`small`,{className:`wrong`,id:`${s}wrong`,role:r?`alert`:void 0,children:o})]})}function V({label:e,value:t,onChange:n,at:r,wrong:i,hint:a,lines:o,type:s=`text`,...c}){return(0,M.jsx)(di,{label:e,hint:a,at:r,wrong:i,children:e=>o?(0,M.jsx)(`textarea`,{dir:`auto`,rows:o,value:t,onChange:e=>n(e.target.value),spellCheck:!1,...e,...c}):(0,M.jsx)(`input`,{dir:`auto`,type:s,value:t,onChange:e=>n(e.target.value),...e,...c})})}function fi({label:e,value:t,onChange:n,hint:r,at:i}){return(0,M.jsx)(V,{label:e,type:`number`,value:t==null?``:String(t),onChange:e=>n(e===``?void 0:parseFloat(e)),hint:r,at:i,step:`any`})}function H({label:e,value:t,onChange:n,options:r,hint:i,at:a}){return(0,M.jsx)(di,{label:e,hint:i,at:a,children:e=>(0,M.jsx)(`select`,{value:t,onChange:e=>n(e.target.value),...e,children:r.map(e=>{let{value:t,label:n}=typeof e==`string`?{value:e,label:B(e)}:e;return(0,M.jsx)(`option`,{value:t,children:n},t)})})})}function U({label:e,value:t,onChange:n,disabled:r,at:i}){let a=ui(i),o=(0,_.useId)();return(0,M.jsxs)(`div`,{children:[(0,M.jsxs)(`label`,{className:`check`,children:[(0,M.jsx)(`input`,{type:`checkbox`,checked:t,disabled:r,"aria-invalid":a?!0:void 0,"aria-describedby":a?o:void 0,onChange:e=>n(e.target.checked)}),e]}),a&&(0,M.jsx)(`small`,{className:`wrong`,id:o,children:a})]})}function pi({needs:e=`EDITOR`,children:t}){return(0,M.jsx)(`fieldset`,{className:`plain`,disabled:!Rr(e),children:t})}function mi({label:e,on:t,onChange:n,busy:r,shown:i=t?`On`:`Off`,needs:a=`EDITOR`}){return Rr(a)?(0,M.jsx)(`button`,{type:`button`,className:`switch`,role:`switch`,"aria-checked":t,"aria-label":e,disabled:r,onClick:()=>n(!t),children:i}):(0,M.jsx)(P,{children:i})}function W({onSubmit:e,action:t,submit:n,children:r,needs:i=`EDITOR`}){let a=Rr(i),o=(0,_.useRef)(null);return(0,_.useEffect)(()=>hi(o.current),[t.error]),(0,M.jsxs)(`form`,{ref:o,className:`stack`,onSubmit:n=>{n.preventDefault(),t.busy||e()},children:[(0,M.jsx)(ci,{error:t.error,children:(0,M.jsx)(pi,{needs:i,children:r})}),(0,M.jsx)(F,{error:t.error}),a&&(0,M.jsx)(`div`,{className:`row end`,children:(0,M.jsx)(`button`,{type:`submit`,className:`main`,disabled:t.busy,children:n})})]})}function hi(e){let t=e?.querySelector(`[aria-invalid]`);for(let e=t?.closest(`details`);e;e=e.parentElement?.closest(`details`))e.open=!0;t?.focus()}function gi({title:e,children:t}){return(0,_.useEffect)(()=>{let t=document.title;return document.title=`${e} · Carillon`,()=>{document.title=t}},[e]),(0,M.jsx)(`div`,{className:`login`,children:(0,M.jsx)(`main`,{children:(0,M.jsxs)(`div`,{className:`card stack`,children:[(0,M.jsxs)(`h1`,{className:`brand`,children:[(0,M.jsx)(`img`,{src:Mr,alt:``}),e]}),t]})})})}function _i({onDone:e,refused:t,address:n}){let[r,i]=(0,_.useState)(n??``),[a,o]=(0,_.useState)(``),[s,c]=(0,_.useState)(``),[l,u]=(0,_.useState)(!1),[d,f]=(0,_.useState)({busy:!1,error:t?new Xe(t):void 0});return(0,M.jsxs)(W,{onSubmit:()=>{f({busy:!0}),ft(r,a,s).then(()=>e(r),e=>{let t=e.code===`SECOND_FACTOR_REQUIRED`;f({busy:!1,error:t&&!l?void 0:e}),u(l||t)})},action:d,submit:`Log in`,children:[(0,M.jsx)(V,{label:`E-mail address`,type:`email`,autoComplete:`username`,required:!0,readOnly:n!==void 0,value:r,onChange:i}),(0,M.jsx)(V,{label:`Password`,type:`password`,autoComplete:`current-password`,required:!0,value:a,onChange:o}),l&&(0,M.jsx)(V,{label:`Code`,autoComplete:`one-time-code`,autoFocus:!0,required:!0,value:s,onChange:c,hint:`From your authenticator app, or a recovery code.`})]})}function vi({session:e,onDone:t}){let[n,r]=(0,_.useState)(!1);return(0,M.jsxs)(gi,{title:`Log in to Carillon`,children:[n?(0,M.jsx)(yi,{}):(0,M.jsx)(_i,{onDone:t,refused:e.refused}),e.oidc&&(0,M.jsx)(`a`,{href:`/dashboard/oidc`,children:`Log in with OpenID Connect`}),e.mail&&(0,M.jsx)(`div`,{children:(0,M.jsx)(`button`,{type:`button`,className:`plain`,onClick:()=>r(!n),children:n?`Log in`:`Forgot password?`})}),(0,M.jsxs)(`p`,{className:`soft small`,children:[`No user yet? Create one on the server: `,(0,M.jsx)(`code`,{children:`carillon users create you@example.com`})]})]})}function yi(){let[e,t]=(0,_.useState)(``),[n,r]=(0,_.useState)(!1),i=O(wr,()=>r(!0));return n?(0,M.jsxs)(`p`,{role:`status`,children:[`If an account with `,e,` exists, a link was sent to it. It is valid for 24 hours.`]}):(0,M.jsx)(W,{onSubmit:()=>i.run({email:e}),action:i,submit:`Send link`,children:(0,M.jsx)(V,{label:`E-mail address`,at:`email`,type:`email`,autoComplete:`username`,required:!0,value:e,onChange:t})})}var bi=location.hash.slice(1),xi=()=>location.assign(`/dashboard/`);function Si({session:e}){let t=D(Sr,{token:bi});return(0,M.jsx)(gi,{title:`Invitation`,children:(0,M.jsx)(I,{of:t,children:({invitationOffer:t})=>(0,M.jsx)(Ci,{session:e,offer:t})})})}function Ci({session:e,offer:t}){let[n,r]=(0,_.useState)(e.active),[i,a]=(0,_.useState)(!1);return(0,M.jsxs)(M.Fragment,{children:[(0,M.jsxs)(`p`,{children:[t.invitedBy??`The operator`,` invites `,(0,M.jsx)(`strong`,{children:t.email}),` to `,t.organizationName,`, as`,` `,B(t.role).toLowerCase(),`. The invitation ends `,(0,M.jsx)(z,{at:t.expiresAt}),`.`]}),n?(0,M.jsx)(wi,{}):i||t.logInFirst?(0,M.jsx)(_i,{address:t.email,onDone:()=>r(!0)}):(0,M.jsx)(Ti,{email:t.email}),!n&&t.logInFirst&&(0,M.jsx)(`p`,{className:`soft small`,children:`Log in to accept. Without an account, open the link in the mail to this address, or ask the operator of this server for an account.`}),!n&&!t.logInFirst&&(0,M.jsx)(`div`,{children:(0,M.jsx)(`button`,{type:`button`,className:`plain`,onClick:()=>a(!i),children:i?`I have no account yet`:`I already have an account`})})]})}function wi(){let e=O(Cr,e=>{let t=e.acceptInvitation.environmentId;t?ht(t).then(xi,xi):xi()});return(0,M.jsx)(W,{needs:`VIEWER`,onSubmit:()=>e.run({input:{token:bi}}),action:e,submit:`Accept`,children:(0,M.jsx)(`p`,{className:`soft small`,children:`You accept with the account that you are logged in with.`})})}function Ti({email:e}){let[t,n]=(0,_.useState)(``),[r,i]=(0,_.useState)(``),[a,o]=(0,_.useState)(``),s=O(Cr,()=>void ft(e,a).then(xi,xi));return(0,M.jsxs)(W,{onSubmit:()=>s.run({input:{token:bi,password:a,firstName:t||void 0,lastName:r||void 0}}),action:s,submit:`Accept`,children:[(0,M.jsx)(`input`,{type:`hidden`,autoComplete:`username`,value:e,readOnly:!0}),(0,M.jsx)(V,{label:`First name`,at:`firstName`,autoComplete:`given-name`,value:t,onChange:n}),(0,M.jsx)(V,{label:`Last name`,at:`lastName`,autoComplete:`family-name`,value:r,onChange:i}),(0,M.jsx)(V,{label:`Choose a password`,at:`password`,type:`password`,autoComplete:`new-password`,required:!0,value:a,onChange:o,hint:`10 to 200 characters.`})]})}function Ei(){let[e,t]=(0,_.useState)(``),[n,r]=(0,_.useState)(``),i=O(Tr,e=>r(e.resetPassword));return(0,_.useEffect)(()=>{n&&document.querySelector(`input[type=password]`)?.focus()},[n]),n?(0,M.jsxs)(gi,{title:`Log in to Carillon`,children:[(0,M.jsx)(`p`,{role:`status`,children:`Your password was changed. Log in with the new password.`}),(0,M.jsx)(_i,{address:n,onDone:xi})]}):(0,M.jsx)(gi,{title:`Set a new password`,children:bi?(0,M.jsx)(W,{onSubmit:()=>i.run({input:{token:bi,password:e}}),action:i,submit:`Set password`,children:(0,M.jsx)(V,{label:`New password`,at:`password`,type:`password`,autoComplete:`new-password`,required:!0,value:e,onChange:t,hint:`10 to 200 characters. All your sessions end.`})}):(0,M.jsx)(F,{error:Error(`The link is incomplete. Copy the whole link into the address bar.`)})})}function Di(e=``){let[t,n]=Me();return{get:n=>t.get(e+n)??``,set:t=>r=>n(n=>qr(n,t,r,e),{replace:!0})}}function Oi(e=``){let[t,n]=Me();return Wr(Gr(t,e),t=>n(n=>Kr(n,t,e)))}function ki(){let[e,t]=(0,_.useState)({});return Wr(e,t)}var Ai=50;function ji(e,t){let n=new Map(e);for(let e of t)n.delete(e.id),n.set(e.id,e);return new Map([...n].slice(-200))}function Mi(e,t,{addNew:n,status:r}){let i=new Set(e.map(e=>e.id)),a=e[0]?.createdAt??``;return[...(n?[...t.values()].filter(e=>!i.has(e.id)&&e.createdAt>=a):[]).sort((e,t)=>t.createdAt.localeCompare(e.createdAt)),...e.map(e=>t.get(e.id)??e)].filter(e=>!r||e.status===r).slice(0,Ai)}var Ni=[`PENDING`,`WAITING`,`COMPLETED`,`FAILED`,`CANCELLED`,`MERGED`,`SKIPPED`,`PARKED`],Pi={PENDING:`wait`,WAITING:`wait`,COMPLETED:`good`,FAILED:`bad`,CANCELLED:``,MERGED:``,SKIPPED:``,PARKED:`bad`};function Fi({of:e}){return(0,M.jsxs)(`span`,{className:`row`,children:[(0,M.jsx)(P,{tone:Pi[e.status],children:B(e.status)}),e.failures>0&&(0,M.jsx)(P,{tone:`bad`,children:e.failures===1?`1 failure`:`${e.failures} failures`})]})}function Ii(){let{get:e,set:t}=Di(),n={transactionId:e(`transaction`)||void 0,subscriberId:e(`subscriber`)||void 0,workflow:e(`workflow`)||void 0},r=e(`status`),i=e(`provider`)||void 0,a={...n,providerMessageId:i,statusIn:r?[r]:void 0},o=Oi(),s=D(yt,{...o.variables,filter:a}),c=Li(n,s.reload);return(0,M.jsxs)(Zr,{title:`Activity`,children:[(0,M.jsx)(N,{children:(0,M.jsxs)(`form`,{className:`filters`,role:`search`,"aria-label":`Activity`,onSubmit:e=>e.preventDefault(),children:[(0,M.jsx)(V,{label:`Transaction`,value:e(`transaction`),onChange:t(`transaction`)}),(0,M.jsx)(V,{label:`Subscriber`,value:e(`subscriber`),onChange:t(`subscriber`)}),(0,M.jsx)(V,{label:`Workflow`,value:e(`workflow`),onChange:t(`workflow`)}),(0,M.jsx)(V,{label:`Provider message ID`,value:e(`provider`),onChange:t(`provider`)}),(0,M.jsx)(H,{label:`Status`,value:r,onChange:t(`status`),options:[{value:``,label:`Any`},...Ni]})]})}),(0,M.jsx)(N,{children:(0,M.jsx)(I,{of:s,children:({notifications:e})=>(0,M.jsxs)(M.Fragment,{children:[(0,M.jsx)(L,{label:`Notifications`,rows:Mi(e.nodes,c,{addNew:o.first&&!i,status:r}),id:e=>e.id,empty:`No notifications match these filters.`,columns:[{name:`When`,cell:e=>(0,M.jsx)(z,{at:e.createdAt})},{name:`Workflow`,cell:e=>(0,M.jsx)(E,{href:`/activity/${e.id}`,children:e.workflow?.name??`deleted workflow`})},{name:`Subscriber`,cell:e=>e.subscriber?.subscriberId??(0,M.jsx)(`span`,{className:`soft`,children:`deleted`})},{name:`Status`,cell:e=>(0,M.jsx)(Fi,{of:e})},{name:`Transaction`,cell:e=>(0,M.jsx)(`span`,{className:`mono`,children:e.transactionId})}]}),(0,M.jsx)(R,{pager:o,info:e.pageInfo})]})})})]})}function Li(e,t){let[n,r]=(0,_.useState)(new Map),i=(0,_.useRef)([]),a=JSON.stringify(e);(0,_.useEffect)(()=>{i.current=[],r(new Map)},[a]);let o=()=>{let e=i.current.splice(0);r(t=>ji(t,e))};return vt(Ct,{filter:e},({notificationUpdates:e})=>{i.current.push(e)===1&&setTimeout(o,100)},t),n}function Ri(){let{get:e,set:t}=Di(),n=e(`action`),r=e(`record`),i={actionIn:n?[n]:void 0,recordTypeIn:r?[r]:void 0,actorId:e(`actor`)||void 0},a=Oi(),o=D(Tt,{...a.variables,filter:i,organization:e(`of`)===`organization`});return(0,M.jsxs)(Zr,{title:`Audit log`,children:[(0,M.jsx)(N,{children:(0,M.jsxs)(`div`,{className:`filters`,children:[(0,M.jsx)(H,{label:`Scope`,value:e(`of`),onChange:t(`of`),options:[{value:``,label:`this environment`},{value:`organization`,label:`organization, including deleted environments`}]}),(0,M.jsx)(V,{label:`Action`,value:n,onChange:t(`action`),placeholder:`update`}),(0,M.jsx)(V,{label:`Record type`,value:r,onChange:t(`record`),placeholder:`Workflow`}),(0,M.jsx)(V,{label:`Actor (ID)`,value:e(`actor`),onChange:t(`actor`)})]})}),(0,M.jsx)(N,{children:(0,M.jsx)(I,{of:o,children:({auditEntries:e})=>(0,M.jsxs)(M.Fragment,{children:[(0,M.jsx)(L,{label:`Audit log`,rows:e.nodes,id:e=>e.id,empty:`No entries match these filters.`,columns:[{name:`When`,cell:e=>(0,M.jsx)(z,{at:e.createdAt})},{name:`Actor`,cell:e=>(0,M.jsxs)(`span`,{children:[e.actorType.endsWith(`KEY`)?`key ${e.actorName}`:e.actorName||e.actorType,` `,e.actorId&&(0,M.jsxs)(`button`,{type:`button`,className:`plain mono`,onClick:()=>t(`actor`)(e.actorId),children:[e.actorId,(0,M.jsx)(`span`,{className:`hidden`,children:`: filter by this actor`})]})]})},{name:`From`,cell:e=>e.address||`–`},{name:`Action`,cell:e=>e.action},{name:`Record`,cell:e=>(0,M.jsxs)(`span`,{children:[e.recordType,` `,(0,M.jsx)(`code`,{children:e.recordId})]})},{name:`Changes`,cell:e=>e.changes==null?`–`:(0,M.jsxs)(`details`,{children:[(0,M.jsxs)(`summary`,{children:[`Show`,(0,M.jsxs)(`span`,{className:`hidden`,children:[` changes of `,e.recordType]})]}),(0,M.jsx)(ti,{label:`Changes of ${e.recordType}`,value:e.changes})]})}]}),(0,M.jsx)(R,{pager:a,info:e.pageInfo})]})})})]})}function zi(){let{get:e,set:t}=Di(),n=e(`channel`),r={channelIn:n?[n]:void 0,recipient:e(`recipient`)||void 0},i=Oi(),a=D(Et,{...i.variables,filter:r}),[,o]=Me(),s=e(`message`),c=e=>o(t=>(t.set(`message`,e),t)),l=O(Ot,()=>{o({}),a.reload()});return(0,M.jsxs)(Zr,{title:`Catcher`,actions:(0,M.jsxs)(M.Fragment,{children:[(0,M.jsx)(`button`,{type:`button`,onClick:a.reload,children:`Refresh`}),(0,M.jsx)($r,{label:`Clear`,question:`Delete all caught messages?`,busy:l.busy,onConfirm:()=>l.run({})})]}),children:[(0,M.jsx)(F,{error:l.error}),(0,M.jsx)(N,{children:(0,M.jsxs)(`div`,{className:`filters`,children:[(0,M.jsx)(H,{label:`Channel`,value:n,onChange:t(`channel`),options:[{value:``,label:`Any`},`EMAIL`,`SMS`,`CHAT`,`PUSH`]}),(0,M.jsx)(V,{label:`Recipient`,value:e(`recipient`),onChange:t(`recipient`)})]})}),(0,M.jsxs)(`div`,{className:`cols`,children:[(0,M.jsx)(N,{children:(0,M.jsx)(I,{of:a,children:({caughtMessages:e})=>(0,M.jsxs)(M.Fragment,{children:[(0,M.jsx)(L,{label:`Caught messages`,rows:e.nodes,id:e=>e.id,empty:`No caught messages. Messages of channels with a catcher integration appear here instead of being sent.`,columns:[{name:`When`,cell:e=>(0,M.jsx)(z,{at:e.createdAt})},{name:`Channel`,cell:e=>B(e.channel)},{name:`To`,cell:e=>e.recipient},{name:`Message`,cell:e=>(0,M.jsx)(`button`,{type:`button`,className:`plain`,"aria-pressed":s===e.id,onClick:()=>c(e.id),children:e.subject||e.body.slice(0,60)||`open`})}]}),(0,M.jsx)(R,{pager:i,info:e.pageInfo})]})})}),s&&(0,M.jsx)(Bi,{id:s})]})]})}function Bi({id:e}){let t=D(Dt,{id:e});return(0,M.jsx)(I,{of:t,children:({caughtMessage:e})=>(0,M.jsx)(Vi,{of:e})})}function Vi({of:e}){let t=(0,_.useRef)(null);return(0,_.useEffect)(()=>t.current?.focus(),[e.id]),(0,M.jsx)(`div`,{ref:t,tabIndex:-1,children:(0,M.jsxs)(N,{title:e.subject||B(e.channel),children:[(0,M.jsx)(ni,{of:{To:e.recipient,Provider:e.providerId,When:(0,M.jsx)(z,{at:e.createdAt})}}),e.html?(0,M.jsx)(ii,{html:e.html,title:`Caught mail`}):(0,M.jsx)(`pre`,{tabIndex:0,children:e.body}),e.details!=null&&(0,M.jsx)(ti,{label:`Details`,value:e.details})]})})}var Hi=(e,t,n)=>e.map((e,r)=>r===t?n:e),Ui=(e,t)=>e.filter((e,n)=>n!==t);function Wi(e,t,n){let r=[...e],i=e[t],a=e[n];return i!==void 0&&a!==void 0&&([r[t],r[n]]=[a,i]),r}var Gi=(e,t,n)=>n?[...e,t]:e.filter(e=>e!==t),Ki=(e,t,n,r)=>e.filter(e=>e===n?r:t.includes(e)),qi=(e,t)=>[e.name,e.identifier].some(e=>e.toLowerCase().includes(t.toLowerCase())),Ji=[`TRIGGER`,`AUDIENCE`,`AUDIENCE_READ`,`CONTENT`,`CONTENT_READ`,`INTEGRATIONS`,`INTEGRATIONS_READ`,`ACTIVITY`,`ACTIVITY_READ`,`KEYS`],Yi=[`TRIGGER`,`AUDIENCE`,`CONTENT`,`INTEGRATIONS`,`ACTIVITY`,`KEYS`],Xi={server:[`TRIGGER`,`AUDIENCE`,`CONTENT_READ`,`ACTIVITY_READ`],full:Yi},Zi=e=>e.endsWith(`_READ`)?`${B(e.slice(0,-5))} (read only)`:B(e),Qi=e=>e.length===Yi.length&&Yi.every(t=>e.includes(t))?`full access`:e.map(Zi).join(`, `);function $i({revokedAt:e,expiresAt:t},n){return e?`revoked`:t&&new Date(t)<n?`expired`:``}var G=(e,t)=>e?new Date(t.getTime()+parseInt(e,10)*864e5).toISOString():void 0,ea=e=>$i(e,new Date),ta=[{value:``,label:`never`},{value:`30`,label:`30 days`},{value:`90`,label:`90 days`},{value:`365`,label:`1 year`}],na=[{value:`PT0S`,label:`immediately`},{value:`PT1H`,label:`after an hour`},{value:`P1D`,label:`after a day`},{value:`P7D`,label:`after a week`},{value:`P30D`,label:`after 30 days`}],ra=e=>na.find(t=>t.value===e)?.label??e;function ia({of:e}){return ea(e)?(0,M.jsx)(P,{tone:`bad`,children:ea(e)}):(0,M.jsxs)(`span`,{children:[(0,M.jsx)(P,{tone:`good`,children:`valid`}),` `,e.expiresAt&&(0,M.jsxs)(M.Fragment,{children:[`until `,(0,M.jsx)(z,{at:e.expiresAt})]}),` `,e.successorId&&(0,M.jsx)(P,{children:`replaced`})]})}var aa=[{value:`full`,label:`full access`},{value:`server`,label:`server`},{value:`chosen`,label:`custom`}];function oa({among:e,chosen:t,onChange:n}){return(0,M.jsxs)(`fieldset`,{children:[(0,M.jsx)(`legend`,{children:`Scopes`}),e.map(e=>(0,M.jsx)(U,{label:Zi(e),value:t.includes(e),onChange:r=>n(Gi(t,e,r))},e))]})}function sa({me:e}){let t=e.environment.id,n=Oi(`keys-`),r=D(Nt,{environmentId:t,...n.variables}),[i,a]=(0,_.useState)(``),[o,s]=(0,_.useState)(``),[c,l]=(0,_.useState)(`full`),[u,d]=(0,_.useState)([]),[f,p]=(0,_.useState)(`P1D`),[m,h]=(0,_.useState)(``),g=O(Pt,e=>{h(e.createApiKey.key),a(``),r.reload()}),v=O(Ft,e=>{h(e.rotateApiKey.key),r.reload()}),y=O(Lt,r.reload);return(0,M.jsxs)(N,{title:`API keys of ${e.environment.name}`,children:[(0,M.jsx)(F,{error:y.error??v.error}),(0,M.jsx)(ai,{what:`The new key`,secret:m},m),(0,M.jsx)(I,{of:r,children:({apiKeys:e})=>(0,M.jsxs)(M.Fragment,{children:[(0,M.jsx)(L,{label:`API keys`,rows:e.nodes,id:e=>e.id,columns:[{name:`Name`,cell:e=>e.name},{name:`Ends with`,cell:e=>(0,M.jsx)(`code`,{children:e.hint})},{name:`Scopes`,cell:e=>Qi(e.scopes)},{name:`Last used`,cell:e=>(0,M.jsx)(z,{at:e.lastUsedAt})},{name:`State`,cell:e=>(0,M.jsx)(ia,{of:e})},{name:``,cell:e=>!ea(e)&&(0,M.jsxs)(`span`,{className:`row`,children:[!e.successorId&&(0,M.jsx)($r,{needs:`ADMIN`,label:`Rotate`,question:`Create a new key ${e.name} and revoke the current one ${ra(f)}?`,busy:v.busy,onConfirm:()=>v.run({id:e.id,environmentId:t,overlap:f})}),(0,M.jsx)($r,{needs:`ADMIN`,label:`Revoke`,question:`Revoke the key ${e.name}? Requests that use it will be refused.`,busy:y.busy,onConfirm:()=>y.run({id:e.id,environmentId:t})})]})}]}),(0,M.jsx)(R,{pager:n,info:e.pageInfo}),(0,M.jsx)(H,{label:`Revoke rotated keys`,value:f,onChange:p,options:na})]})}),(0,M.jsxs)(W,{needs:`ADMIN`,submit:`Create key`,action:g,onSubmit:()=>g.run({input:{name:i,environmentId:t,scopes:Xi[c]??u,expiresAt:G(o,new Date)}}),children:[(0,M.jsxs)(`div`,{className:`filters`,children:[(0,M.jsx)(V,{label:`Key name`,at:`name`,value:i,onChange:a,required:!0}),(0,M.jsx)(H,{label:`Access`,at:`scopes`,value:c,onChange:l,options:aa}),(0,M.jsx)(H,{label:`Expires`,at:`expiresAt`,value:o,onChange:s,options:ta})]}),c===`chosen`&&(0,M.jsx)(oa,{among:Ji,chosen:u,onChange:d})]})]})}function ca({environment:e}){let[t,n]=(0,_.useState)(``),r=O(It,e=>n(e.rotateInboxSecret));return(0,M.jsxs)(N,{title:`Inbox secret of ${e}`,children:[(0,M.jsx)(`p`,{className:`soft`,children:`Your backend authenticates inbox users with the HMAC-SHA256 of the subscriber ID under this secret.`}),(0,M.jsx)(F,{error:r.error}),(0,M.jsx)(ai,{what:`The new secret`,secret:t},t),(0,M.jsx)(`div`,{className:`row end`,children:(0,M.jsx)($r,{needs:`ADMIN`,label:`Rotate secret`,question:`Create a new secret? Inboxes that were opened with the old one are disconnected.`,busy:r.busy,onConfirm:()=>r.run({})})})]})}function la({me:e}){let t=Oi(`members-`),n=D(Rt,t.variables),r=Rr(`ADMIN`),[i,a]=(0,_.useState)(),o=O(Wt,n.reload),s=O(Gt,n.reload),c=O(Ut,n.reload),l=O(Ht,({createPasswordReset:e})=>a({what:`The password reset link of ${e.user.email}`,url:e.url,mailed:e.mailed})),u=t=>t.user.internalId===e.user?.internalId,d=t=>r&&Fr(e.role,t.role);return(0,M.jsxs)(N,{title:`Members`,children:[(0,M.jsx)(F,{error:o.error??s.error??l.error??c.error}),i&&(0,M.jsx)(ua,{link:i},i.url),(0,M.jsx)(I,{of:n,children:({members:n})=>(0,M.jsxs)(M.Fragment,{children:[(0,M.jsx)(L,{label:`Members`,rows:n.nodes,id:e=>e.id,columns:[{name:`Person`,cell:e=>e.user.email},{name:`Last log-in`,cell:e=>(0,M.jsx)(z,{at:e.user.lastLoginAt})},{name:`Second factor`,cell:e=>e.user.secondFactorAt?(0,M.jsx)(P,{tone:`good`,children:`on`}):(0,M.jsx)(P,{children:`off`})},{name:`Role`,cell:t=>d(t)?(0,M.jsx)(H,{label:`Role of ${t.user.email}`,value:t.role,onChange:e=>o.run({input:{id:t.id,role:e}}),options:Ir(e.role)}):B(t.role)},{name:``,cell:e=>(0,M.jsxs)(`span`,{className:`row`,children:[d(e)&&!u(e)&&(0,M.jsxs)(M.Fragment,{children:[(0,M.jsx)($r,{needs:`ADMIN`,label:`Reset password`,question:`Create a password reset link for ${e.user.email}? Earlier links become invalid.`,busy:l.busy,onConfirm:()=>l.run({userId:e.user.id})}),(0,M.jsx)($r,{needs:`ADMIN`,label:`End sessions`,question:`End all sessions of ${e.user.email}?`,busy:c.busy,onConfirm:()=>c.run({userId:e.user.id})}),(0,M.jsx)($r,{needs:`ADMIN`,label:`Remove`,question:`Remove ${e.user.email} from the organization?`,busy:s.busy,onConfirm:()=>s.run({id:e.id})})]}),u(e)&&(0,M.jsx)($r,{needs:`VIEWER`,label:`Leave`,question:`Leave this organization? You need an invitation to join again.`,busy:s.busy,onConfirm:()=>void s.run({id:e.id}).then(e=>e&&location.reload())})]})}]}),(0,M.jsx)(R,{pager:t,info:n.pageInfo})]})}),(0,M.jsx)(j,{needs:`ADMIN`,children:(0,M.jsx)(da,{me:e,onLink:a})})]})}function ua({link:e}){return(0,M.jsxs)(M.Fragment,{children:[(0,M.jsx)(ai,{what:e.what,secret:new URL(e.url,location.origin).href}),(0,M.jsxs)(`p`,{className:`soft small`,children:[`It can be used once, within 24 hours.`,` `,e.mailed?`It was also sent by e-mail.`:`Send it to them yourself: this server has no mail server configured.`]})]})}function da({me:e,onLink:t}){let n=Oi(`invitations-`),r=D(zt,n.variables),[i,a]=(0,_.useState)(``),[o,s]=(0,_.useState)(`VIEWER`),c=O(Bt,({createInvitation:e})=>{t({what:`The invitation of ${e.invitation.email}`,url:e.url,mailed:e.mailed}),a(``),r.reload()}),l=O(Vt,r.reload);return(0,M.jsxs)(M.Fragment,{children:[(0,M.jsx)(`h3`,{children:`Invitations`}),(0,M.jsx)(F,{error:l.error}),(0,M.jsx)(I,{of:r,children:({invitations:t})=>(0,M.jsxs)(M.Fragment,{children:[(0,M.jsx)(L,{label:`Invitations`,empty:`No pending invitations.`,rows:t.nodes,id:e=>e.id,columns:[{name:`Address`,cell:e=>e.email},{name:`Role`,cell:e=>B(e.role)},{name:`Invited by`,cell:e=>e.invitedBy||`the operator`},{name:`Expires`,cell:e=>new Date(e.expiresAt)<new Date?(0,M.jsx)(P,{tone:`bad`,children:`expired`}):(0,M.jsx)(z,{at:e.expiresAt})},{name:``,cell:t=>Fr(e.role,t.role)&&(0,M.jsx)($r,{needs:`ADMIN`,label:`Revoke`,question:`Revoke the invitation of ${t.email}?`,busy:l.busy,onConfirm:()=>l.run({id:t.id})})}]}),(0,M.jsx)(R,{pager:n,info:t.pageInfo})]})}),(0,M.jsx)(W,{needs:`ADMIN`,submit:`Invite`,action:c,onSubmit:()=>c.run({input:{email:i,role:o}}),children:(0,M.jsxs)(`div`,{className:`filters`,children:[(0,M.jsx)(V,{label:`E-mail address of the new member`,at:`email`,type:`email`,autoComplete:`off`,value:i,onChange:a,required:!0}),(0,M.jsx)(H,{label:`Role`,at:`role`,value:o,onChange:e=>s(e),options:Ir(e.role)})]})})]})}function fa(){let e=D(Kt,{}),t=O(qt,e.reload);return(0,M.jsxs)(N,{title:`Organization`,children:[(0,M.jsx)(F,{error:t.error}),(0,M.jsx)(I,{of:e,children:({currentOrganization:e})=>(0,M.jsxs)(`div`,{className:`row`,children:[(0,M.jsx)(mi,{needs:`OWNER`,label:`Members need a second factor`,on:e.requireSecondFactor,shown:e.requireSecondFactor?`Required`:`Optional`,busy:t.busy,onChange:n=>t.run({input:{id:e.id,requireSecondFactor:n}})}),(0,M.jsx)(`span`,{children:`Second factor of members. Where it is required, members without one can set it up and do nothing else. Keys are not affected.`})]})})]})}var pa=[`ENVIRONMENTS`,`MEMBERS`,`KEYS`,`SETTINGS`],ma=[{value:`30`,label:`30 days`},{value:`90`,label:`90 days`},{value:`365`,label:`1 year`}];function ha(){let e=Oi(`organization-keys-`),t=D(Jt,e.variables),[n,r]=(0,_.useState)(``),[i,a]=(0,_.useState)(`90`),[o,s]=(0,_.useState)([]),[c,l]=(0,_.useState)(`P1D`),[u,d]=(0,_.useState)(``),f=O(Yt,e=>{d(e.createOrganizationKey.key),r(``),t.reload()}),p=O(Xt,e=>{d(e.rotateOrganizationKey.key),t.reload()}),m=O(Zt,t.reload);return(0,M.jsxs)(N,{title:`Organization keys`,children:[(0,M.jsx)(`p`,{className:`soft`,children:`Programs use them for environments, members, settings and the keys of all environments. They open no environment’s data.`}),(0,M.jsx)(F,{error:m.error??p.error}),(0,M.jsx)(ai,{what:`The new organization key`,secret:u},u),(0,M.jsx)(I,{of:t,children:({organizationKeys:t})=>(0,M.jsxs)(M.Fragment,{children:[(0,M.jsx)(L,{label:`Organization keys`,rows:t.nodes,id:e=>e.id,columns:[{name:`Name`,cell:e=>e.name},{name:`Ends with`,cell:e=>(0,M.jsx)(`code`,{children:e.hint})},{name:`Scopes`,cell:e=>e.scopes.map(B).join(`, `)},{name:`Last used`,cell:e=>(0,M.jsx)(z,{at:e.lastUsedAt})},{name:`State`,cell:e=>(0,M.jsx)(ia,{of:e})},{name:``,cell:e=>!ea(e)&&(0,M.jsxs)(`span`,{className:`row`,children:[!e.successorId&&(0,M.jsx)($r,{needs:`OWNER`,label:`Rotate ${e.name}`,question:`Make a new organization key ${e.name}, and end the present one ${ra(c)}?`,busy:p.busy,onConfirm:()=>p.run({id:e.id,overlap:c})}),(0,M.jsx)($r,{needs:`OWNER`,label:`Revoke ${e.name}`,question:`Revoke the organization key ${e.name}? Requests that use it will be refused.`,busy:m.busy,onConfirm:()=>m.run({id:e.id})})]})}]}),(0,M.jsx)(R,{pager:e,info:t.pageInfo})]})}),(0,M.jsx)(j,{needs:`OWNER`,children:(0,M.jsx)(H,{label:`A rotated organization key ends`,value:c,onChange:l,options:na})}),(0,M.jsxs)(W,{needs:`OWNER`,submit:`Create organization key`,action:f,onSubmit:()=>f.run({input:{name:n,scopes:o,expiresAt:G(i,new Date)??``}}),children:[(0,M.jsxs)(`div`,{className:`filters`,children:[(0,M.jsx)(V,{label:`Organization key name`,at:`name`,value:n,onChange:r,required:!0}),(0,M.jsx)(H,{label:`Valid for`,at:`expiresAt`,value:i,onChange:a,options:ma})]}),(0,M.jsx)(oa,{among:pa,chosen:o,onChange:s})]})]})}function ga(){let[e,t]=(0,_.useState)(``),[n,r]=(0,_.useState)(``),i=O(Ar,()=>location.reload());return(0,M.jsx)(N,{title:`Your password`,children:(0,M.jsxs)(W,{needs:`VIEWER`,submit:`Change password`,action:i,onSubmit:()=>i.run({input:{currentPassword:e,password:n}}),children:[(0,M.jsxs)(`div`,{className:`filters`,children:[(0,M.jsx)(V,{label:`Current password`,at:`currentPassword`,type:`password`,autoComplete:`current-password`,value:e,onChange:t,required:!0}),(0,M.jsx)(V,{label:`New password`,at:`password`,type:`password`,autoComplete:`new-password`,value:n,onChange:r,required:!0})]}),(0,M.jsx)(`p`,{className:`soft small`,children:`10 to 200 characters. All your sessions end, including this one.`})]})})}function _a({me:e,onChange:t}){return e.user?(0,M.jsxs)(N,{title:`Your second factor`,children:[e.verifiedElsewhere&&(0,M.jsx)(`p`,{className:`soft`,children:`You are logged in through your identity provider, which asks for second factors itself. One set up here is asked for only when you log in with a password.`}),e.user.secondFactorAt?(0,M.jsx)(Sa,{since:e.user.secondFactorAt,onDone:t}):(0,M.jsx)(va,{onDone:t})]}):null}function va({onDone:e}){let[t,n]=(0,_.useState)(),[r,i]=(0,_.useState)();return r?(0,M.jsx)(xa,{title:`The second factor is on.`,codes:r,onDone:e}):t?(0,M.jsx)(ba,{enrolment:t,onDone:i}):(0,M.jsx)(ya,{onDone:n})}function ya({onDone:e}){let[t,n]=(0,_.useState)(``),r=O(Er,t=>e(t.beginSecondFactor));return(0,M.jsxs)(W,{needs:`VIEWER`,submit:`Set up`,action:r,onSubmit:()=>r.run({password:t}),children:[(0,M.jsx)(`p`,{className:`soft`,children:`After your password, log-in then asks for a code from an authenticator app.`}),(0,M.jsx)(V,{label:`Your password`,at:`password`,type:`password`,autoComplete:`current-password`,value:t,onChange:n,required:!0})]})}function ba({enrolment:e,onDone:t}){let[n,r]=(0,_.useState)(``),i=O(Dr,e=>t(e.confirmSecondFactor));return(0,M.jsxs)(W,{needs:`VIEWER`,submit:`Enable`,action:i,onSubmit:()=>i.run({code:n}),children:[(0,M.jsx)(`p`,{children:`Scan this code with your authenticator app, or enter the secret there.`}),(0,M.jsx)(`div`,{children:(0,M.jsx)(`img`,{src:e.qrCode,width:240,height:240,alt:`QR code of the secret`})}),(0,M.jsxs)(`p`,{children:[`Secret: `,(0,M.jsx)(`code`,{children:e.secret})]}),(0,M.jsx)(V,{label:`Code from the app`,at:`code`,autoComplete:`one-time-code`,value:n,onChange:r,required:!0})]})}function xa({title:e,codes:t,onDone:n}){return(0,M.jsxs)(`div`,{className:`stack`,role:`status`,children:[(0,M.jsxs)(`p`,{children:[e,` Each of these recovery codes lets you in once without your device. They are shown only once: keep them safe.`]}),(0,M.jsx)(`pre`,{tabIndex:0,role:`region`,"aria-label":`Recovery codes`,children:t.join(`
`)}),(0,M.jsx)(`div`,{className:`row end`,children:(0,M.jsx)(`button`,{type:`button`,className:`main`,onClick:n,children:`I have saved them`})})]})}function Sa({since:e,onDone:t}){let[n,r]=(0,_.useState)();return n?(0,M.jsx)(xa,{title:`The old recovery codes are no longer valid.`,codes:n,onDone:()=>r(void 0)}):(0,M.jsxs)(M.Fragment,{children:[(0,M.jsxs)(`p`,{children:[`Enabled since `,(0,M.jsx)(z,{at:e}),`.`]}),(0,M.jsx)(Ca,{onDone:r}),(0,M.jsx)(wa,{onDone:t})]})}function Ca({onDone:e}){let[t,n]=(0,_.useState)(``),r=O(kr,t=>e(t.replaceRecoveryCodes));return(0,M.jsx)(W,{needs:`VIEWER`,submit:`Create new recovery codes`,action:r,onSubmit:()=>r.run({input:{password:t}}),children:(0,M.jsx)(V,{label:`Your password, for new recovery codes`,at:`password`,type:`password`,autoComplete:`current-password`,value:t,onChange:n,required:!0})})}function wa({onDone:e}){let[t,n]=(0,_.useState)(``),r=O(Or,e);return(0,M.jsx)(W,{needs:`VIEWER`,submit:`Disable`,action:r,onSubmit:()=>r.run({input:{password:t}}),children:(0,M.jsx)(V,{label:`Your password, to disable it`,at:`password`,type:`password`,autoComplete:`current-password`,value:t,onChange:n,required:!0})})}function Ta({me:e,onChange:t}){let n=Oi(),r=D(kt,{...n.variables}),i=()=>{r.reload(),t()},a=O(jt,i),[o,s]=(0,_.useState)(),[c,l]=(0,_.useState)(!1),[u,d]=(0,_.useState)();return(0,M.jsxs)(Zr,{title:`Environments and keys`,actions:(0,M.jsx)(j,{needs:`ADMIN`,children:(0,M.jsx)(`button`,{type:`button`,className:`main`,onClick:()=>l(!0),children:`New environment`})}),children:[(0,M.jsxs)(N,{title:`Environments`,children:[(0,M.jsx)(F,{error:a.error}),(0,M.jsx)(I,{of:r,children:({environments:t})=>(0,M.jsxs)(M.Fragment,{children:[(0,M.jsx)(L,{label:`Environments`,rows:t.nodes,id:e=>e.id,columns:[{name:`Name`,cell:t=>(0,M.jsxs)(`span`,{children:[t.name,` `,t.id===e.environment.id&&(0,M.jsx)(P,{children:`current`})]})},{name:`Identifier`,cell:e=>(0,M.jsx)(`code`,{children:e.identifier})},{name:`Type`,cell:e=>B(e.type)},{name:`Locale`,cell:e=>e.defaultLocale},{name:`Status`,cell:t=>t.id===e.environment.id?`yes`:(0,M.jsx)(mi,{needs:`ADMIN`,label:`${t.name} is active`,on:!t.suspended,shown:t.suspended?`Suspended`:`Active`,busy:a.busy,onChange:e=>a.run({input:{id:t.id,suspended:!e}})})},{name:``,cell:t=>(0,M.jsxs)(`span`,{className:`row`,children:[(0,M.jsx)(j,{needs:`ADMIN`,children:(0,M.jsx)(`button`,{type:`button`,onClick:()=>d(t),"aria-label":`Change ${t.name}`,children:`Change`})}),t.id!==e.environment.id&&(0,M.jsx)(j,{needs:t.type===`PRODUCTION`?`OWNER`:`ADMIN`,children:(0,M.jsx)(`button`,{type:`button`,className:`danger`,onClick:()=>s(t),"aria-label":`Delete ${t.name}`,children:`Delete`})})]})}]}),(0,M.jsx)(R,{pager:n,info:t.pageInfo})]})})]}),(0,M.jsxs)(j,{needs:`ADMIN`,children:[(0,M.jsx)(sa,{me:e}),(0,M.jsx)(ca,{environment:e.environment.name})]}),(0,M.jsx)(fa,{}),(0,M.jsx)(j,{needs:`ADMIN`,children:(0,M.jsx)(ha,{})}),(0,M.jsx)(la,{me:e}),(0,M.jsx)(ga,{}),(0,M.jsx)(_a,{me:e,onChange:t}),c&&(0,M.jsx)(Ea,{onClose:()=>l(!1),onDone:()=>{l(!1),i()}}),o&&(0,M.jsx)(Oa,{of:o,onClose:()=>s(void 0),onDone:()=>{s(void 0),i()}}),u&&(0,M.jsx)(Da,{of:u,onClose:()=>d(void 0),onDone:()=>{d(void 0),i()}})]})}function Ea({onClose:e,onDone:t}){let[n,r]=(0,_.useState)(``),[i,a]=(0,_.useState)(``),[o,s]=(0,_.useState)(`DEVELOPMENT`),c=O(At,t);return(0,M.jsx)(Qr,{title:`New environment`,onClose:e,children:(0,M.jsxs)(W,{needs:`ADMIN`,submit:`Create`,action:c,onSubmit:()=>c.run({input:{identifier:n,name:i||void 0,type:o}}),children:[(0,M.jsx)(V,{label:`Identifier`,at:`identifier`,value:n,onChange:r,required:!0,hint:`Lower-case letters, digits, - and _; cannot be changed later.`}),(0,M.jsx)(V,{label:`Name`,at:`name`,value:i,onChange:a}),(0,M.jsx)(H,{label:`Type`,at:`type`,value:o,onChange:e=>s(e),options:[`DEVELOPMENT`,`PRODUCTION`]})]})})}function Da({of:e,onClose:t,onDone:n}){let[r,i]=(0,_.useState)(e.name),[a,o]=(0,_.useState)(e.defaultLocale),s=O(jt,n);return(0,M.jsx)(Qr,{title:`Change ${e.name}`,onClose:t,children:(0,M.jsxs)(W,{needs:`ADMIN`,submit:`Save`,action:s,onSubmit:()=>s.run({input:{id:e.id,name:r,defaultLocale:a}}),children:[(0,M.jsx)(V,{label:`Name`,at:`name`,value:r,onChange:i,required:!0}),(0,M.jsx)(V,{label:`Default locale`,at:`defaultLocale`,value:a,onChange:o,required:!0,hint:`Used in translations for subscribers without a locale.`})]})})}function Oa({of:e,onClose:t,onDone:n}){let[r,i]=(0,_.useState)(``),a=O(Mt,n);return(0,M.jsxs)(Qr,{title:`Delete ${e.name}`,onClose:t,children:[(0,M.jsxs)(`p`,{children:[`This deletes everything in `,e.name,`: subscribers, workflows, messages and keys. The audit log is kept. This cannot be undone.`]}),(0,M.jsx)(W,{needs:`ADMIN`,submit:`Delete`,action:a,onSubmit:()=>a.run({id:e.id,name:r}),children:(0,M.jsx)(V,{label:`Type ${e.name} to confirm`,at:`name`,value:r,onChange:i,required:!0,autoComplete:`off`})})]})}var ka=new Set([`body`,`subject`,`label`,`content`,`field`,`value`,`html`]),Aa=new Set([`threshold`]),ja=new Set([`payload`,`data`,`payloadSchema`,`headers`]);function Ma(e){return Pa(e)}function Na(e){return Pa(e??[])}function Pa(e){return Array.isArray(e)?e.map(Pa):typeof e!=`object`||!e?e:Object.fromEntries(Object.entries(e).filter(([e,t])=>t!==null&&(t!==``||ka.has(e))&&(t!==0||Aa.has(e))).map(([e,t])=>[e,ja.has(e)?t:Pa(t)]))}var Fa=[[`inApp`,`In-app`],[`email`,`E-mail`],[`sms`,`SMS`],[`chat`,`Chat`],[`push`,`Push`]],Ia={on:`PAYLOAD`,field:``,operator:`EQUAL`,value:``},La=e=>[...e,{isNegated:!1,type:`GROUP`,value:`AND`,children:[Ia]}],Ra=(e,t,n)=>n?Hi(e,t,n):Ui(e,t),za=e=>({...e,children:[...e.children,Ia]}),Ba=(e,t,n)=>({...e,children:e.children.map((e,r)=>r===t?{...e,...n}:e)}),Va=(e,t)=>e.children.length>1?{...e,children:Ui(e.children,t)}:void 0,Ha=[{value:`EQUAL`,label:`is`},{value:`NOT_EQUAL`,label:`is not`},{value:`LARGER`,label:`is larger than`},{value:`SMALLER`,label:`is smaller than`},{value:`LARGER_EQUAL`,label:`is at least`},{value:`SMALLER_EQUAL`,label:`is at most`},{value:`IN`,label:`is one of`},{value:`NOT_IN`,label:`is none of`},{value:`ANY_IN`,label:`has one of`},{value:`ALL_IN`,label:`has all of`},{value:`BETWEEN`,label:`is between`},{value:`NOT_BETWEEN`,label:`is not between`},{value:`LIKE`,label:`contains`},{value:`NOT_LIKE`,label:`does not contain`}],Ua=[`PAYLOAD`,`SUBSCRIBER`,`ACTOR`,`TENANT`,`STEP`],Wa=[{value:`AND`,label:`all must hold`},{value:`OR`,label:`one must hold`}],Ga={STEP:`Step and state, such as mail.read`};function Ka({label:e,at:t,filters:n,onChange:r,none:i=`No conditions: always applies.`}){return(0,M.jsxs)(`fieldset`,{children:[(0,M.jsx)(`legend`,{children:e}),n.length===0&&(0,M.jsx)(`p`,{className:`soft small`,children:i}),n.map((e,i)=>(0,M.jsx)(qa,{at:`${t}.${i}`,name:n.length>1?` ${i+1}.`:` `,group:e,onChange:e=>r(Ra(n,i,e))},i)),(0,M.jsx)(`div`,{children:(0,M.jsx)(`button`,{type:`button`,onClick:()=>r(La(n)),children:`Add a condition`})})]})}function qa({name:e,at:t,group:n,onChange:r}){let i=n.children,a=(e,t)=>r(Ba(n,e,t));return(0,M.jsxs)(`div`,{className:`stack`,children:[i.map((i,o)=>(0,M.jsxs)(`div`,{className:`filters`,children:[(0,M.jsx)(H,{label:`Of${e}${o+1}`,at:`${t}.children.${o}.on`,value:i.on,onChange:e=>a(o,{on:e}),options:Ua}),(0,M.jsx)(V,{label:`Field${e}${o+1}`,at:`${t}.children.${o}.field`,value:i.field,onChange:e=>a(o,{field:e}),placeholder:Ga[i.on]}),(0,M.jsx)(H,{label:`Operator${e}${o+1}`,at:`${t}.children.${o}.operator`,value:i.operator,onChange:e=>a(o,{operator:e}),options:Ha}),(0,M.jsx)(V,{label:`Value${e}${o+1}`,at:`${t}.children.${o}.value`,value:i.value,onChange:e=>a(o,{value:e})}),(0,M.jsx)(`button`,{type:`button`,"aria-label":`Remove condition${e}${o+1}`,onClick:()=>r(Va(n,o)),children:`Remove`})]},o)),(0,M.jsxs)(`div`,{className:`row`,children:[i.length>1&&(0,M.jsx)(H,{label:`Combine${e.trimEnd()}`,value:n.value??`AND`,onChange:e=>r({...n,value:e}),options:Wa}),(0,M.jsx)(U,{label:`Negate`,value:n.isNegated??!1,onChange:e=>r({...n,isNegated:e})}),(0,M.jsx)(`button`,{type:`button`,onClick:()=>r(za(n)),children:`Add to this group`})]})]})}function Ja({label:e,value:t,onChange:n,hint:r,at:i,lines:a=4}){let[o,s]=(0,_.useState)(t==null?``:JSON.stringify(t,null,2)),[c,l]=(0,_.useState)(``);return(0,M.jsx)(V,{label:`${e} (JSON)`,lines:a,value:o,onChange:t=>{s(t);try{n(nt(t,e)??void 0),l(``)}catch(e){l(e.message)}},hint:r,at:i,wrong:c})}var Ya=new Set,Xa=()=>Ya.size>0,Za=()=>Ya.clear();addEventListener(`beforeunload`,e=>Xa()&&e.preventDefault());var Qa=location.href,$a;addEventListener(`popstate`,e=>{let t=new URL(location.href);!$a||!Xa()||t.pathname===new URL(Qa).pathname?Qa=location.href:(e.stopImmediatePropagation(),history.pushState(null,``,Qa),$a(t.pathname+t.search))});for(let e of[`pushState`,`replaceState`])addEventListener(e,()=>{Qa=location.href});function eo(e){let t=JSON.stringify(e),[n,r]=(0,_.useState)(t),i=(0,_.useRef)(t);i.current=t;let a=t!==n;return(0,_.useLayoutEffect)(()=>{if(!a)return;let e=Symbol();return Ya.add(e),()=>{Ya.delete(e)}},[a]),(0,_.useCallback)(e=>r(e===void 0?i.current:JSON.stringify(e)),[])}function to({base:e,children:t}){let[n,r]=(0,_.useState)(),i=(0,_.useCallback)((e,t,n)=>{let i=()=>e(t,n);!Xa()||new URL(t,location.href).pathname===location.pathname?i():r(()=>i)},[]),[,a]=C();return(0,_.useEffect)(()=>($a=e=>r(()=>()=>a(e)),()=>{$a=void 0}),[a]),(0,M.jsxs)(ke,{base:e,aroundNav:i,children:[t,n&&(0,M.jsxs)(Qr,{title:`Leave without saving?`,onClose:()=>r(void 0),children:[(0,M.jsx)(`p`,{children:`Your changes are not saved.`}),(0,M.jsxs)(`div`,{className:`row end`,children:[(0,M.jsx)(`button`,{type:`button`,className:`main`,onClick:()=>r(void 0),children:`Stay`}),(0,M.jsx)(`button`,{type:`button`,className:`danger`,onClick:()=>{Za(),r(void 0),n()},children:`Leave`})]})]})]})}var no=(e,t)=>Object.fromEntries(e.filter(e=>e.kind!==`OBJECT`||t[e.name]!==void 0).map(e=>[e.name,t[e.name]??null])),ro=e=>e===``?null:Number(e),io=({rateLimit:e,learnedRate:t})=>{let n=e??t;return n?`${n}/s`:`unlimited`};function ao({id:e,channel:t}){let[n,r]=(0,_.useState)(``),[i,a]=(0,_.useState)(`This is a test message.`),[o,s]=(0,_.useState)(),c=O(on,e=>s(e.testIntegration));return(0,M.jsxs)(N,{title:`Test message`,children:[(0,M.jsxs)(W,{needs:`ADMIN`,submit:`Send`,action:c,onSubmit:()=>c.run({input:{id:e,to:n,subject:`Test message`,body:i}}),children:[(0,M.jsx)(V,{at:`to`,label:t===`EMAIL`?`To (e-mail address)`:t===`SMS`?`To (phone number)`:`To`,value:n,onChange:r,required:!0}),(0,M.jsx)(V,{label:`Message`,at:`body`,lines:3,value:i,onChange:a})]}),(0,M.jsx)(`div`,{role:`status`,children:o&&(0,M.jsxs)(`div`,{className:`note ${o.outcome===`ACCEPTED`?`good`:`bad`}`,children:[B(o.outcome),`.`,` `,[o.httpStatus,o.code,o.errorText,o.providerMessageId].filter(Boolean).join(` · `)]})})]})}var oo={CLOSED:`good`,OPEN:`bad`,HALF_OPEN:`wait`},so={CLOSED:`Healthy`,OPEN:`Circuit open`,HALF_OPEN:`Probing`},co=[`EMAIL`,`SMS`,`CHAT`,`PUSH`,`IN_APP`];function lo(){let{get:e,set:t}=Di(),n=e(`channel`),r=Oi(),i=D(Qt,{...r.variables,filter:{channelIn:n?[n]:void 0}}),a=O(tn,i.reload),[o,s]=(0,_.useState)(!1);return(0,M.jsxs)(Zr,{title:`Integrations`,actions:(0,M.jsxs)(M.Fragment,{children:[(0,M.jsx)(`button`,{type:`button`,onClick:i.reload,children:`Refresh`}),(0,M.jsx)(j,{needs:`ADMIN`,children:(0,M.jsx)(`button`,{type:`button`,className:`main`,onClick:()=>s(!0),children:`New integration`})})]}),children:[(0,M.jsx)(N,{children:(0,M.jsx)(H,{label:`Channel`,value:n,onChange:t(`channel`),options:[{value:``,label:`Any`},...co]})}),(0,M.jsxs)(N,{children:[(0,M.jsx)(F,{error:a.error}),(0,M.jsx)(I,{of:i,children:({integrations:e})=>(0,M.jsxs)(M.Fragment,{children:[(0,M.jsx)(L,{label:`Integrations`,empty:`No integrations. Messages of this channel cannot be sent.`,rows:e.nodes,id:e=>e.id,columns:[{name:`Name`,cell:e=>(0,M.jsx)(E,{href:`/integrations/${e.id}`,children:e.name||e.identifier})},{name:`Provider`,cell:e=>e.providerId},{name:`Channel`,cell:e=>B(e.channel)},{name:`State`,cell:e=>(0,M.jsxs)(`span`,{className:`row`,children:[(0,M.jsx)(P,{tone:oo[e.breaker],children:so[e.breaker]}),e.primary&&(0,M.jsx)(P,{children:`Primary`})]})},{name:`Rate`,cell:e=>io(e)},{name:`Enabled`,cell:e=>(0,M.jsx)(mi,{label:`${e.name||e.identifier} is enabled`,needs:`ADMIN`,on:e.active,busy:a.busy,onChange:t=>a.run({input:{id:e.id,active:t}})})}]}),(0,M.jsx)(R,{pager:r,info:e.pageInfo})]})})]}),o&&(0,M.jsx)(uo,{onClose:()=>s(!1)})]})}function uo({onClose:e}){let t=D(en,{}),[n,r]=(0,_.useState)(`EMAIL`),[i,a]=(0,_.useState)(``),[o,s]=(0,_.useState)(``),[c,l]=(0,_.useState)({}),[,u]=C(),d=O(A,e=>u(`/integrations/${e.createIntegration.id}`));return(0,M.jsx)(Qr,{title:`New integration`,onClose:e,children:(0,M.jsx)(I,{of:t,children:({providers:e})=>{let t=e.filter(e=>e.channel===n),u=t.find(e=>e.id===i)??t[0];return(0,M.jsxs)(W,{needs:`ADMIN`,submit:`Create`,action:d,onSubmit:()=>u&&d.run({input:{providerId:u.id,name:o||u.name,credentials:c,active:!0}}),children:[(0,M.jsx)(H,{label:`Channel`,value:n,onChange:e=>{r(e),l({})},options:co}),(0,M.jsx)(H,{label:`Provider`,value:u?.id??``,onChange:e=>{a(e),l({})},options:t.map(e=>({value:e.id,label:e.name}))}),(0,M.jsx)(V,{label:`Name`,at:`name`,value:o,onChange:s,placeholder:u?.name}),u&&(0,M.jsx)(fo,{provider:u,values:c,onChange:l})]})}})})}function fo({provider:e,values:t,onChange:n}){return(0,M.jsx)(M.Fragment,{children:e.credentials?.map(e=>{let r=t[e.name],i=r=>n({...t,[e.name]:r}),a=e.label||e.name,o=`credentials.${e.name}`;return e.kind===`BOOL`?(0,M.jsx)(U,{label:a,at:o,value:r===!0,onChange:i},e.name):e.options?.length?(0,M.jsx)(H,{label:a,at:o,value:String(r??e.default),onChange:i,options:[{value:``,label:`–`},...e.options.map(e=>({value:e,label:e}))]},e.name):e.kind===`OBJECT`?(0,M.jsx)(Ja,{label:a,at:o,value:r,onChange:i,hint:`Stored values are not shown. If empty, the stored value is kept.`},e.name):(0,M.jsx)(V,{at:o,label:e.required?`${a} (required)`:a,type:e.secret&&e.kind!==`TEXT`?`password`:`text`,autoComplete:`off`,lines:e.kind===`TEXT`?4:void 0,value:typeof r==`string`?r:``,placeholder:e.default,hint:e.requiredIf?`Required if ${e.requiredIf}.`:void 0,onChange:i},e.name)})})}function po({id:e}){let t=D($t,{id:e}),n=D(en,{});return(0,M.jsx)(I,{of:t,children:({integration:e})=>(0,M.jsx)(I,{of:n,children:n=>(0,M.jsx)(mo,{i:e,provider:n.providers.find(t=>t.id===e.providerId),reload:t.reload})})})}function mo({i:e,provider:t,reload:n}){let[r,i]=(0,_.useState)(e.name),[a,o]=(0,_.useState)(e.rateLimit==null?``:String(e.rateLimit)),[s,c]=(0,_.useState)(e.credentials),[l,u]=(0,_.useState)(e.configurations?.inboundWebhookEnabled??!1),[d,f]=(0,_.useState)(e.configurations?.inboundWebhookSigningKey??``),[p,m]=(0,_.useState)(()=>Na(e.conditions)),[h,g]=(0,_.useState)(!1),[,v]=C(),y=eo({name:r,rate:a,credentials:s,receipts:l,signingKey:d,conditions:p}),b=O(tn,()=>{g(!0),y(),n()}),ee=O(tn,n),te=O(nn,n),ne=O(an,n),re=O(rn,()=>{Za(),v(`/integrations`)}),x=no(t?.credentials??[],s);return(0,M.jsxs)(Zr,{title:e.name||e.identifier,actions:(0,M.jsxs)(M.Fragment,{children:[(0,M.jsx)(mi,{label:`Integration is enabled`,needs:`ADMIN`,on:e.active,busy:ee.busy,onChange:t=>ee.run({input:{id:e.id,active:t}})}),!e.primary&&(e.channel===`EMAIL`||e.channel===`SMS`)&&(0,M.jsx)(j,{needs:`ADMIN`,children:(0,M.jsx)(`button`,{type:`button`,disabled:te.busy,onClick:()=>te.run({id:e.id}),children:`Make primary`})}),(0,M.jsx)($r,{needs:`ADMIN`,label:`Delete`,question:`Delete the integration ${e.name||e.identifier}?`,busy:re.busy,onConfirm:()=>re.run({id:e.id})})]}),children:[(0,M.jsx)(F,{error:ee.error??te.error??re.error??ne.error}),(0,M.jsxs)(`div`,{className:`cols`,children:[(0,M.jsx)(N,{title:`Settings`,children:(0,M.jsxs)(W,{needs:`ADMIN`,submit:`Save`,action:b,onSubmit:()=>{g(!1),b.run({input:{id:e.id,name:r,rateLimit:ro(a),credentials:x,conditions:p,...t?.capabilities.receipts&&{configurations:{inboundWebhookEnabled:l,inboundWebhookSigningKey:d}}}})},children:[(0,M.jsx)(V,{label:`Name`,at:`name`,value:r,onChange:i}),t&&(0,M.jsx)(fo,{provider:t,values:s,onChange:c}),(0,M.jsx)(V,{label:`Rate limit (requests per second)`,at:`rateLimit`,type:`number`,step:`any`,value:a,onChange:o,hint:`If empty, unlimited.`}),t?.capabilities.receipts&&(0,M.jsx)(U,{label:`Accept delivery receipts`,at:`configurations.inboundWebhookEnabled`,value:l,onChange:u}),t?.capabilities.receipts&&l&&(0,M.jsx)(V,{label:`Signing key of receipts`,at:`configurations.inboundWebhookSigningKey`,type:`password`,autoComplete:`off`,value:d,onChange:f,hint:`The provider’s signing secret or public key. If empty, signatures are not verified.`}),(0,M.jsx)(Ka,{label:`Conditions`,at:`conditions`,filters:p,onChange:m,none:`No conditions: used for every message of its channel.`}),(0,M.jsx)(`div`,{role:`status`,children:h&&(0,M.jsx)(`div`,{className:`note good`,children:`Saved.`})})]})}),(0,M.jsxs)(`div`,{className:`stack`,children:[(0,M.jsxs)(N,{title:`State`,actions:(0,M.jsx)(P,{tone:oo[e.breaker],children:so[e.breaker]}),children:[(0,M.jsx)(ni,{of:{Provider:t?.name??e.providerId,Channel:B(e.channel),Identifier:(0,M.jsx)(`code`,{children:e.identifier}),Primary:e.primary?`yes`:`no`,"Consecutive failures":e.breakerFailures,Cause:e.breakerCause,Opened:e.breakerOpenedAt&&(0,M.jsx)(z,{at:e.breakerOpenedAt}),"Next probe":e.breakerProbeAt&&(0,M.jsx)(z,{at:e.breakerProbeAt}),"Receipt URL":e.inboundPath&&(0,M.jsx)(`code`,{children:e.inboundPath})}}),e.breaker!==`CLOSED`&&(0,M.jsx)(j,{needs:`ADMIN`,children:(0,M.jsx)(`div`,{className:`row`,children:(0,M.jsx)(`button`,{type:`button`,disabled:ne.busy,onClick:()=>ne.run({id:e.id}),children:`Close circuit`})})})]}),(0,M.jsx)(j,{needs:`ADMIN`,children:(0,M.jsx)(ao,{id:e.id,channel:e.channel})})]})]})]})}function ho({step:e,layout:t,snippets:n,digest:r,payloadLabel:i=`Example payload (JSON)`,payloadHint:a=`If empty, one is made from the payload schema.`,payloadSchema:o,example:s,onExample:c}){let[l,u]=(0,_.useState)(),[d,f]=(0,_.useState)(),p=JSON.stringify({step:e,layout:t,snippets:n,payloadSchema:o,digestItems:r?s.digestItems:void 0,subscriberId:s.subscriberId||void 0});return(0,_.useEffect)(()=>{let e=!0,t=setTimeout(async()=>{try{let{previewStep:t}=await lt(gr,{input:{...JSON.parse(p),payload:nt(s.payload,`The payload`)}});if(!e)return;u(t),f(t.error?Error(t.error):void 0)}catch(t){e&&f(t)}},300);return()=>{e=!1,clearTimeout(t)}},[p,s.payload]),(0,M.jsxs)(N,{title:`Preview`,children:[(0,M.jsx)(V,{label:`Example subscriber`,value:s.subscriberId,onChange:e=>c({...s,subscriberId:e}),hint:`If empty, sample data is used.`}),(0,M.jsx)(V,{label:i,lines:3,value:s.payload,onChange:e=>c({...s,payload:e}),hint:a}),r&&(0,M.jsx)(fi,{label:`Example digest events`,value:s.digestItems,onChange:e=>c({...s,digestItems:e}),hint:`Each has the example payload; at most 100. If empty, templates see no digest.`}),(0,M.jsx)(F,{error:d}),l&&!l.error&&(0,M.jsxs)(`div`,{className:`stack`,"aria-live":`polite`,children:[(l.from||l.replyTo)&&(0,M.jsx)(`div`,{className:`soft`,children:[l.from&&`From ${l.from}`,l.replyTo&&`Reply to ${l.replyTo}`].filter(Boolean).join(` · `)}),l.subject&&(0,M.jsx)(`strong`,{children:l.subject}),l.content&&(l.content.html?(0,M.jsx)(ii,{html:l.content.html,title:`Preview of the mail`}):(0,M.jsx)(`pre`,{tabIndex:0,children:l.content.text})),(0,M.jsx)(`div`,{className:`row`,children:l.cta?.action?.buttons?.map(e=>(0,M.jsx)(`span`,{className:`badge`,children:e.content},e.type))})]})]})}var go=(e,t)=>`${e}/${encodeURIComponent(t)}`;function _o({of:e}){let{get:t,set:n}=Di(),r=t(`name`),i=Oi(),a=D(e.list,{...i.variables,filter:{nameContains:r||void 0}}),[o,s]=(0,_.useState)(!1);return(0,M.jsxs)(Zr,{title:e.title,actions:(0,M.jsx)(j,{children:(0,M.jsxs)(`button`,{type:`button`,className:`main`,onClick:()=>s(!0),children:[`New `,e.noun]})}),children:[(0,M.jsxs)(N,{children:[e.about,(0,M.jsx)(V,{label:`Name contains`,value:r,onChange:n(`name`)})]}),(0,M.jsx)(N,{children:(0,M.jsx)(I,{of:a,children:t=>(0,M.jsxs)(M.Fragment,{children:[(0,M.jsx)(L,{label:e.title,rows:e.page(t).nodes,id:e=>e.id,empty:e.empty,columns:[{name:`Name`,cell:t=>(0,M.jsxs)(`span`,{children:[(0,M.jsx)(E,{href:go(e.address,t.identifier),children:t.name}),` `,e.badge?.(t)]})},{name:`Identifier`,cell:e=>(0,M.jsx)(`code`,{children:e.identifier})},{name:`Changed`,cell:e=>(0,M.jsx)(z,{at:e.updatedAt})}]}),(0,M.jsx)(R,{pager:i,info:e.page(t).pageInfo})]})})}),o&&(0,M.jsx)(vo,{of:e,onClose:()=>s(!1)})]})}function vo({of:e,onClose:t}){let[n,r]=(0,_.useState)(``),[i,a]=(0,_.useState)(``),[,o]=C(),s=O(e.create,t=>o(go(e.address,e.created(t).identifier)));return(0,M.jsx)(Qr,{title:`New ${e.noun}`,onClose:t,children:(0,M.jsxs)(W,{submit:`Create`,action:s,onSubmit:()=>s.run({input:{name:n,identifier:i||void 0,content:e.content}}),children:[(0,M.jsx)(V,{label:`Name`,at:`name`,value:n,onChange:r,required:!0}),(0,M.jsx)(V,{label:`Identifier`,at:`identifier`,value:i,onChange:a,hint:`${e.identifierHint} If empty, generated from the name.`})]})})}function yo({title:e,identifier:t,value:n,onChange:r,hint:i,required:a,action:o,onSave:s,saved:c,children:l}){return(0,M.jsx)(N,{title:e,children:(0,M.jsxs)(W,{submit:`Save`,action:o,onSubmit:s,children:[(0,M.jsx)(V,{label:`Identifier`,value:t,onChange:()=>{},readOnly:!0}),(0,M.jsx)(V,{label:`Name`,at:`name`,value:n.name,onChange:e=>r({...n,name:e}),required:!0}),(0,M.jsx)(V,{label:`Source`,at:`content`,lines:16,value:n.content,onChange:e=>r({...n,content:e}),required:a,hint:i}),l,(0,M.jsx)(`div`,{role:`status`,children:c&&(0,M.jsx)(`div`,{className:`note good`,children:`Saved.`})})]})})}var bo=`<!doctype html>
<html>
  <body style="font-family: sans-serif; max-width: 40rem; margin: 0 auto">
    {{ content }}
  </body>
</html>
`;function xo(){return(0,M.jsx)(_o,{of:{title:`Layouts`,noun:`layout`,address:`/layouts`,empty:`No layouts. E-mails are sent without a layout.`,list:sn,page:e=>e.layouts,badge:e=>e.isDefault&&(0,M.jsx)(P,{children:`default`}),create:ln,created:e=>e.createLayout,content:bo,identifierHint:`Used by e-mail steps.`}})}function So({identifier:e}){let t=D(cn,{identifier:e});return(0,M.jsx)(I,{of:t,children:({layoutByIdentifier:e})=>(0,M.jsx)(wo,{of:e,reload:t.reload},e.id)})}var Co={type:`EMAIL`,stepId:`mail`,email:{subject:`Sample subject`,preheader:`Sample preview text`,html:`<h1>Sample e-mail</h1><p>The content of the step.</p>`}};function wo({of:e,reload:t}){let[n,r]=(0,_.useState)({name:e.name,content:e.content,isDefault:e.isDefault}),[i,a]=(0,_.useState)({payload:`{}`,subscriberId:``}),[o,s]=(0,_.useState)(!1),[,c]=C(),l=eo(n),u=O(un,()=>{s(!0),l(),t()}),d=O(dn,()=>{Za(),c(`/layouts`)});return(0,M.jsxs)(Zr,{title:e.name,actions:(0,M.jsx)($r,{label:`Delete`,question:`Delete the layout ${e.name}? E-mail steps that use it are sent without a layout.`,busy:d.busy,onConfirm:()=>d.run({id:e.id})}),children:[(0,M.jsx)(F,{error:d.error}),(0,M.jsxs)(`div`,{className:`cols`,children:[(0,M.jsx)(yo,{title:`Layout`,identifier:e.identifier,value:n,onChange:r,hint:`HTML and Liquid. Variables: {{ content }} (the body of the step), {{ subject }} and {{ preheader }}.`,required:!0,action:u,onSave:()=>{s(!1),u.run({input:{id:e.id,...n}})},saved:o,children:(0,M.jsx)(U,{at:`isDefault`,label:`Default layout`,value:n.isDefault,onChange:e=>r({...n,isDefault:e})})}),(0,M.jsx)(ho,{step:Co,layout:n.content,example:i,onExample:a})]})]})}function To(e){let t=10**Math.floor(Math.log10(e));return[1,2,5,10].map(e=>e*t).find(t=>t>=e)??e}function Eo(e){let t=Math.max(1,To(Math.max(e,1)/4));return{step:t,ceiling:Math.max(t*Math.ceil(e/t),t)}}function Do(e,t,n){let r=!1;return e.map((e,i)=>{if(e===null)return r=!1,``;let a=r?`L`:`M`;return r=!0,`${a}${t(i).toFixed(1)} ${n(e).toFixed(1)}`}).join(``)}var Oo=(e,t)=>e[t]!=null&&e[t-1]==null&&e[t+1]==null,ko=200,Ao=44,jo=8,Mo=24;function No(){let e=(0,_.useRef)(null),[t,n]=(0,_.useState)(640);return(0,_.useLayoutEffect)(()=>{let t=new ResizeObserver(([e])=>e&&n(Math.max(200,Math.round(e.contentRect.width))));return t.observe(e.current),()=>t.disconnect()},[]),[e,t]}var Po=new Intl.NumberFormat(void 0,{notation:`compact`,maximumFractionDigits:1});function Fo({title:e,unit:t,starts:n,series:r}){let i=(0,_.useId)(),[a,o]=No(),{step:s,ceiling:c}=Eo(Math.max(...r.flatMap(e=>e.values.map(e=>e??0)),0)),l=e=>Ao+(n.length<2?0:e*(o-Ao-jo)/(n.length-1)),u=e=>178-e/c*154,d=n.length>0&&new Date(n[0]).toDateString()===new Date(n.at(-1)).toDateString(),f=new Intl.DateTimeFormat(void 0,d?{timeStyle:`short`}:{month:`short`,day:`numeric`,hour:`numeric`}),p=(o-Ao-jo)/Math.max(n.length-1,1),m=e=>e==null?`–`:`${e.toLocaleString()} ${t}`,h=[0,Math.floor((n.length-1)/2),n.length-1];return(0,M.jsxs)(`figure`,{ref:a,style:{margin:0},className:`stack`,children:[(0,M.jsx)(`figcaption`,{id:i,children:(0,M.jsx)(`h2`,{children:e})}),(0,M.jsxs)(`svg`,{className:`chart`,viewBox:`0 0 ${o} ${ko}`,role:`img`,"aria-labelledby":i,children:[(0,M.jsx)(`text`,{x:0,y:12,children:t}),Array.from({length:Math.round(c/s)+1},(e,t)=>t*s).map(e=>(0,M.jsxs)(`g`,{children:[(0,M.jsx)(`line`,{className:`grid`,x1:Ao,x2:o-jo,y1:u(e),y2:u(e)}),(0,M.jsx)(`text`,{x:38,y:u(e)+4,textAnchor:`end`,children:Po.format(e)})]},e)),h.map((e,t)=>(0,M.jsx)(`text`,{x:l(e),y:195,textAnchor:t===0?`start`:t===1?`middle`:`end`,children:n[e]&&f.format(new Date(n[e]))},t)),r.map(e=>(0,M.jsxs)(`g`,{stroke:e.color,fill:e.color,children:[(0,M.jsx)(`path`,{d:Do(e.values,l,u),fill:`none`,strokeWidth:`2`,strokeDasharray:e.dash,strokeLinejoin:`round`}),e.values.map((t,n)=>t!==null&&Oo(e.values,n)&&(0,M.jsx)(`circle`,{cx:l(n),cy:u(t),r:`3`,stroke:`none`},n))]},e.name)),n.map((e,t)=>(0,M.jsx)(`rect`,{x:l(t)-p/2,y:Mo,width:p,height:154,fill:`transparent`,children:(0,M.jsx)(`title`,{children:[f.format(new Date(e)),...r.map(e=>`${e.name}: ${m(e.values[t])}`)].join(`
`)})},e))]}),(0,M.jsx)(`div`,{className:`row small`,children:r.map(e=>(0,M.jsxs)(`span`,{className:`row`,style:{gap:`.3rem`},children:[(0,M.jsx)(`svg`,{width:`22`,height:`8`,"aria-hidden":`true`,children:(0,M.jsx)(`line`,{x1:`0`,x2:`22`,y1:`4`,y2:`4`,stroke:e.color,strokeWidth:`3`,strokeDasharray:e.dash})}),e.name]},e.name))}),(0,M.jsxs)(`details`,{className:`small`,children:[(0,M.jsxs)(`summary`,{children:[`Data`,(0,M.jsxs)(`span`,{className:`hidden`,children:[` of `,e]})]}),(0,M.jsx)(`div`,{className:`scroll`,tabIndex:0,role:`region`,"aria-label":`Data of ${e}`,style:{maxHeight:`16rem`,overflow:`auto`},children:(0,M.jsxs)(`table`,{children:[(0,M.jsx)(`thead`,{children:(0,M.jsxs)(`tr`,{children:[(0,M.jsx)(`th`,{scope:`col`,children:`From`}),r.map(e=>(0,M.jsxs)(`th`,{scope:`col`,children:[e.name,` (`,t,`)`]},e.name))]})}),(0,M.jsx)(`tbody`,{children:n.map((e,t)=>(0,M.jsxs)(`tr`,{children:[(0,M.jsx)(`td`,{children:f.format(new Date(e))}),r.map(e=>(0,M.jsx)(`td`,{children:e.values[t]?.toLocaleString()??`–`},e.name))]},e))})]})})]})]})}function Io(e){let t=new Map;for(let{providers:n}of e)for(let e of n){let n=t.get(e.providerId)??{accepted:0,rejected:0,unknown:0};t.set(e.providerId,{accepted:n.accepted+e.accepted,rejected:n.rejected+e.rejected,unknown:n.unknown+e.unknown})}return[...t].map(([e,t])=>({id:e,...t,failures:t.rejected+t.unknown})).sort((e,t)=>t.failures-e.failures||e.id.localeCompare(t.id))}var Lo=({providers:e},t)=>e.filter(e=>e.providerId===t).reduce((e,t)=>e+t.rejected+t.unknown,0),K=[{value:`3600`,label:`Last hour`},{value:`86400`,label:`Last day`},{value:`604800`,label:`Last week`},{value:`2592000`,label:`Last 30 days`}];function q(){let{get:e,set:t}=Di(),n=K.find(t=>t.value===e(`period`))?.value??`3600`,[r,i]=(0,_.useState)(()=>Date.now());(0,_.useEffect)(()=>{let e=setInterval(()=>i(Date.now()),3e4);return()=>clearInterval(e)},[]);let a=D(fn,{from:new Date(r-Number(n)*1e3).toISOString(),buckets:60});return(0,M.jsxs)(Zr,{title:`Overview`,actions:(0,M.jsx)(`button`,{type:`button`,onClick:()=>i(Date.now()),children:`Refresh`}),children:[(0,M.jsx)(N,{children:(0,M.jsx)(H,{label:`Period`,value:n,onChange:t(`period`),options:K})}),(0,M.jsx)(I,{of:a,children:({deliveryStatistics:e})=>(0,M.jsx)(Bo,{of:e})})]})}var Ro=[`var(--brand)`,`var(--good)`,`var(--bad)`,`var(--wait)`,`var(--soft)`],zo=[void 0,`6 3`,`2 3`,`8 3 2 3`,`1 4`];function Bo({of:e}){let t=e.buckets.map(e=>e.start),n=t=>e.buckets.reduce((e,n)=>e+t(n),0),r=Io(e.buckets);return(0,M.jsxs)(M.Fragment,{children:[e.buckets.some(e=>e.estimated)&&(0,M.jsx)(`div`,{className:`note`,children:`Some figures are estimates.`}),(0,M.jsx)(`div`,{className:`figures`,children:[[`Messages`,n(e=>e.messages)],[`Sent`,n(e=>e.sent)],[`Failed`,n(e=>e.failed)],[`Waiting`,n(e=>e.pending)]].map(([e,t])=>(0,M.jsxs)(`div`,{className:`card`,children:[(0,M.jsx)(`span`,{className:`soft`,children:e}),(0,M.jsx)(`strong`,{children:t.toLocaleString()})]},e))}),(0,M.jsxs)(`div`,{className:`cols`,children:[(0,M.jsx)(N,{children:(0,M.jsx)(Fo,{title:`Throughput`,unit:`messages`,starts:t,series:[{name:`Messages`,color:Ro[0],values:e.buckets.map(e=>e.messages)},{name:`Sent`,color:Ro[1],dash:zo[1],values:e.buckets.map(e=>e.sent)},{name:`Failed`,color:Ro[2],dash:zo[2],values:e.buckets.map(e=>e.failed)}]})}),(0,M.jsx)(N,{children:(0,M.jsx)(Fo,{title:`Delivery latency (without delays and digests)`,unit:`ms`,starts:t,series:[`p50`,`p95`,`p99`].map((t,n)=>({name:t,color:Ro[n],dash:zo[n],values:e.buckets.map(e=>e.latency?.[t]??null)}))})}),(0,M.jsx)(N,{children:(0,M.jsx)(Fo,{title:`Failed requests by provider`,unit:`requests`,starts:t,series:r.slice(0,Ro.length).map((t,n)=>({name:t.id,color:Ro[n],dash:zo[n],values:e.buckets.map(e=>Lo(e,t.id))}))})}),(0,M.jsx)(N,{title:`Requests by provider`,children:(0,M.jsx)(L,{label:`Requests by provider`,rows:r,id:e=>e.id,empty:`No requests in this period.`,columns:[{name:`Provider`,cell:e=>e.id},{name:`Accepted`,cell:e=>e.accepted.toLocaleString()},{name:`Rejected`,cell:e=>e.rejected.toLocaleString()},{name:`Outcome unknown`,cell:e=>e.unknown.toLocaleString()}]})})]})]})}var Vo=e=>`${e.kind}/${e.name}`,Ho=e=>`${B(e.kind).toLowerCase()} ${e.name}`;function Uo(e){let t=e.split(`,`).map(e=>e.trim()).filter(Boolean);if(t.length!==0)return t.map(e=>{let[,t,n]=/^([a-z][a-z -]*)\/(.+)$/i.exec(e)??[];if(!t||!n)throw Error(`${e} is no resource. Write its kind and its name, such as workflow/order-shipped.`);return{kind:t.toUpperCase().replaceAll(/[ -]/g,`_`),name:n}})}var Wo=80;function Go(e,t){return e.flatMap((n,r)=>{if(n.change===t)return[];if(n.change!==`SAME`||n.text.length<=240)return[n];let i=r===0?``:n.text.slice(0,Wo),a=r===e.length-1?``:n.text.slice(-80);return[{...n,text:`${i} … ${a}`}]})}var Ko={CREATE:`created`,UPDATE:`changed`,DELETE:`deleted`};function qo(e){let t=`${Ho(e)} ${Ko[e.action]??e.action}`;return e.version===null?t:e.sourceVersion===null?`${t}, now version ${e.version}`:`${t}, version ${e.sourceVersion} as version ${e.version}`}function Jo({viewer:e}){let{environment:t}=e.viewer,[n,r]=(0,_.useState)(0),[i,a]=(0,_.useState)(0),o=Rr(`EDITOR`);return(0,M.jsxs)(Zr,{title:`Promote`,children:[o&&(0,M.jsx)(Yo,{environments:e.environments.nodes,here:t.id,onPromoted:()=>r(n+1),undone:i}),(0,M.jsx)(ns,{environment:t.name,onUndone:()=>a(i+1)},n)]})}function Yo({environments:e,here:t,onPromoted:n,undone:r}){let{get:i,set:a}=Di(),o=t=>e.find(e=>e.id===t),s=o(i(`to`))??o(t),c=o(i(`from`))??e.find(e=>e.id!==s?.id),l=e.map(e=>({value:e.id,label:e.name})),u=i(`only`);return!c||!s?(0,M.jsx)(N,{children:(0,M.jsx)(`p`,{className:`soft`,children:`A promotion needs two environments. Create another one under “Environments and keys”.`})}):(0,M.jsxs)(M.Fragment,{children:[(0,M.jsxs)(N,{children:[(0,M.jsxs)(`div`,{className:`filters`,children:[(0,M.jsx)(H,{label:`From`,value:c.id,onChange:a(`from`),options:l}),(0,M.jsx)(H,{label:`To`,value:s.id,onChange:a(`to`),options:l})]}),(0,M.jsx)(V,{label:`Only these resources`,value:u,onChange:a(`only`),wrong:Xo(u),placeholder:`workflow/order-shipped, layout/brand`,hint:`If empty, all that differ. Workflows are promoted as they are published. Secrets and variables stay in their environment.`})]}),c.id===s.id?(0,M.jsx)(N,{children:(0,M.jsx)(`p`,{className:`soft`,children:`Choose two different environments.`})}):!Xo(u)&&(0,M.jsx)(Zo,{source:c,target:s,only:Uo(u),onPromoted:n},`${c.id} ${s.id} ${r}`)]})}function Xo(e){try{return Uo(e),``}catch(e){return e.message}}function Zo({source:e,target:t,only:n,onPromoted:r}){let[i,a]=(0,_.useState)(!0),[o,s]=(0,_.useState)([]),[c,l]=(0,_.useState)(``),u={source:e.id,target:t.id,withDependencies:i},d=D(pn,{input:{...u,parts:n}}),f=(d.data?.promotionPlan.changes??[]).filter(e=>!o.includes(Vo(e))),p=f.map(({kind:e,name:t})=>({kind:e,name:t})),m=o.length>0&&f.length>0,h=D(pn,{input:{...u,parts:p}},!m),g=m?h:d,v=O(mn,e=>{l(`Promoted: ${oi(e.promote.plan.changes.length,`resource`)} of ${t.name} changed.`),s([]),d.reload(),r()}),y=f.length>0&&!g.loading&&!g.error&&!d.loading;return(0,M.jsxs)(N,{title:`What differs: ${t.name} and ${e.name}`,children:[(0,M.jsx)(`div`,{role:`status`,children:c&&(0,M.jsx)(`div`,{className:`note good`,children:c})}),(0,M.jsx)(I,{of:d,children:({promotionPlan:r})=>r.changes.length===0?(0,M.jsxs)(`p`,{children:[t.name,` holds `,n?`these resources`:`everything of ${e.name}`,` already.`]}):(0,M.jsxs)(M.Fragment,{children:[(0,M.jsx)(U,{label:`Also promote what they refer to and the target lacks`,value:i,onChange:a}),r.changes.map(n=>(0,M.jsx)($o,{of:n,source:e.name,target:t.name,on:!o.includes(Vo(n)),onChange:e=>s(Gi(o,Vo(n),!e))},Vo(n))),m&&(0,M.jsx)(F,{error:h.error}),!g.error&&g.data&&(0,M.jsx)(ts,{of:g.data.promotionPlan}),(0,M.jsx)(F,{error:v.error}),(0,M.jsx)(`div`,{className:`row end`,children:(0,M.jsx)($r,{label:`Promote`,question:`Promote ${oi(f.length,`resource`)} from ${e.name} to ${t.name}?`,busy:!y||v.busy,onConfirm:()=>v.run({input:{...u,parts:m?p:n,fingerprint:g.data?.promotionPlan.fingerprint}})})})]})})]})}var Qo={CREATE:`good`,UPDATE:`wait`,DELETE:`bad`};function $o({of:e,source:t,target:n,on:r,onChange:i}){let a=Ho(e);return(0,M.jsxs)(`section`,{className:`stack`,"aria-label":a,children:[(0,M.jsxs)(`div`,{className:`row`,children:[(0,M.jsx)(U,{label:a,value:r,onChange:i}),(0,M.jsx)(P,{tone:Qo[e.action],children:B(e.action)})]}),e.fields.length>0&&(0,M.jsxs)(`details`,{open:!0,children:[(0,M.jsxs)(`summary`,{children:[oi(e.fields.length,`field`),(0,M.jsxs)(`span`,{className:`hidden`,children:[` of `,a]})]}),(0,M.jsx)(L,{label:`Fields of ${a}`,rows:e.fields,id:e=>e.path,columns:[{name:`Field`,cell:e=>(0,M.jsx)(`code`,{children:e.path})},{name:`${n} now`,cell:e=>(0,M.jsx)(es,{of:Go(e.words,`ADDED`)})},{name:`From ${t}`,cell:e=>(0,M.jsx)(es,{of:Go(e.words,`REMOVED`)})}]})]})]})}function es({of:e}){return e.length===0?(0,M.jsx)(`span`,{className:`soft`,children:`–`}):(0,M.jsx)(`span`,{className:`words`,children:e.map((e,t)=>e.change===`ADDED`?(0,M.jsx)(`ins`,{children:e.text},t):e.change===`REMOVED`?(0,M.jsx)(`del`,{children:e.text},t):(0,M.jsx)(`span`,{children:e.text},t))})}function ts({of:e}){let t=e.dependencies.filter(e=>e.included);return(0,M.jsxs)(M.Fragment,{children:[t.length>0&&(0,M.jsxs)(`div`,{className:`note`,children:[`Promoted as well, because the target lacks them:`,(0,M.jsx)(`ul`,{children:t.map(e=>(0,M.jsxs)(`li`,{children:[Ho(e),`, needed by `,e.neededBy.map(Ho).join(`, `)]},Vo(e)))})]}),e.issues.length>0&&(0,M.jsxs)(`div`,{className:`note wait`,children:[`Problems that do not stop a promotion:`,(0,M.jsx)(`ul`,{children:e.issues.map((e,t)=>(0,M.jsxs)(`li`,{children:[e.workflow,e.stepId&&`, step ${e.stepId}`,`: `,e.message]},t))})]})]})}function ns({environment:e,onUndone:t}){let n=Oi(),r=D(hn,n.variables),i=O(gn,()=>{r.reload(),t()});return(0,M.jsxs)(N,{title:`Promotions into ${e}`,children:[(0,M.jsx)(F,{error:i.error}),(0,M.jsx)(I,{of:r,children:({promotions:t})=>(0,M.jsxs)(M.Fragment,{children:[(0,M.jsx)(L,{label:`Promotions`,rows:t.nodes,id:e=>e.id,empty:`Nothing was promoted into this environment yet.`,columns:[{name:`When`,cell:e=>(0,M.jsx)(z,{at:e.createdAt})},{name:`From`,cell:e=>e.sourceIdentifier},{name:`Who`,cell:e=>e.actorType===`API_KEY`?`key ${e.actorName}`:e.actorName||e.actorType},{name:`What`,cell:e=>(0,M.jsx)(`ul`,{className:`bare`,children:e.resources.map(e=>(0,M.jsx)(`li`,{children:qo(e)},`${e.kind} ${e.name}`))})},{name:``,cell:t=>(0,M.jsxs)(`span`,{className:`row`,children:[t.undoesId&&(0,M.jsx)(P,{children:`undoes an earlier one`}),t.undoneById?(0,M.jsx)(P,{tone:`bad`,children:`undone`}):(0,M.jsx)(j,{children:(0,M.jsx)($r,{label:`Undo`,question:`Restore what ${e} held before this promotion?`,busy:i.busy,onConfirm:()=>i.run({id:t.id})})})]})}]}),(0,M.jsx)(R,{pager:n,info:t.pageInfo})]})})]})}var rs={WORKFLOW:`/workflows`,LAYOUT:`/layouts`,SNIPPET:`/snippets`,INTEGRATION:`/integrations`},is=({kind:e,name:t})=>e===`INTEGRATION`?rs[e]:`${rs[e]}/${encodeURIComponent(t)}`,as=({workflows:e,layouts:t,snippets:n})=>[...e.map(({identifier:e})=>({kind:`WORKFLOW`,name:e})),...t.map(({identifier:e})=>({kind:`LAYOUT`,name:e})),...n.map(({identifier:e})=>({kind:`SNIPPET`,name:e}))];function os(e,t){return`{% render "${e}"${(typeof t==`object`&&t&&!Array.isArray(t)?Object.keys(t):[]).filter(e=>/^[A-Za-z]\w*$/.test(e)).map(e=>`, ${e}: payload.${e}`).join(``)} %}`}function ss({of:e,most:t=e.length}){return(0,M.jsxs)(`ul`,{children:[e.slice(0,t).map(e=>(0,M.jsxs)(`li`,{children:[B(e.kind),` `,(0,M.jsx)(E,{href:is(e),children:e.name}),e.path&&(0,M.jsxs)(M.Fragment,{children:[`: `,(0,M.jsx)(`code`,{children:e.path})]}),e.line&&`, line ${e.line}`]},`${e.kind} ${e.name} ${e.path} ${e.line}`)),e.length>t&&(0,M.jsxs)(`li`,{children:[`and `,e.length-t,` more`]})]})}function cs({name:e,usages:t,places:n,warning:r,action:i,variables:a,onClose:o}){return(0,M.jsx)(Qr,{title:`Delete ${e}`,onClose:o,children:(0,M.jsx)(I,{of:t,children:t=>{let s=n(t);return(0,M.jsxs)(M.Fragment,{children:[s.length===0?(0,M.jsxs)(`p`,{children:[`Nothing uses `,e,`.`]}):(0,M.jsx)(`p`,{children:r(s)}),s.length>0&&(0,M.jsx)(ss,{of:s}),(0,M.jsx)(F,{error:i.error}),(0,M.jsxs)(`div`,{className:`row end`,children:[(0,M.jsx)(`button`,{type:`button`,onClick:o,children:`Cancel`}),(0,M.jsx)(`button`,{type:`button`,className:`danger`,disabled:i.busy,onClick:()=>i.run(a(s.length>0)),children:s.length>0?`Delete although it is used`:`Delete`})]})]})}})})}function ls(){return(0,M.jsx)(_o,{of:{title:`Snippets`,noun:`snippet`,address:`/snippets`,empty:`No snippets.`,about:(0,M.jsxs)(`p`,{className:`soft`,children:[`Templates of workflows, layouts and other snippets render a snippet with`,` `,(0,M.jsx)(`code`,{children:`{% render "identifier", key: value %}`}),`.`]}),list:_n,page:e=>e.snippets,create:bn,created:e=>e.createSnippet,content:``,identifierHint:`Used by the templates that render it.`}})}function us({identifier:e}){let t=D(vn,{identifier:e});return(0,M.jsx)(I,{of:t,children:({snippetByIdentifier:e})=>(0,M.jsx)(ds,{of:e,reload:t.reload},e.id)})}function ds({of:e,reload:t}){let[n,r]=(0,_.useState)({name:e.name,content:e.content}),[i,a]=(0,_.useState)({payload:`{}`,subscriberId:``}),[o,s]=(0,_.useState)(!1),[c,l]=(0,_.useState)(!1),u=eo(n),d=O(xn,()=>{s(!0),u(),t()}),f=os(e.identifier,rt(i.payload));return(0,M.jsxs)(Zr,{title:e.name,actions:(0,M.jsx)(j,{children:(0,M.jsx)(`button`,{type:`button`,className:`danger`,onClick:()=>l(!0),children:`Delete`})}),children:[(0,M.jsxs)(`div`,{className:`cols`,children:[(0,M.jsx)(yo,{title:`Snippet`,identifier:e.identifier,value:n,onChange:r,hint:`Liquid; HTML where it is rendered in HTML. Variables: {{ env.NAME }} and the arguments of the tag that renders it.`,action:d,onSave:()=>{s(!1),d.run({input:{id:e.id,...n}})},saved:o}),(0,M.jsx)(ho,{step:{type:`EMAIL`,stepId:`mail`,email:{subject:``,html:f,noLayout:!0}},snippets:{[e.identifier]:n.content},example:i,onExample:a,payloadLabel:`Example arguments (JSON)`,payloadHint:`Rendered with ${f}.`})]}),c&&(0,M.jsx)(fs,{identifier:e.identifier,id:e.id,onClose:()=>l(!1)})]})}function fs({id:e,identifier:t,onClose:n}){let[,r]=C(),i=D(yn,{identifier:t}),a=O(Sn,()=>{Za(),r(`/snippets`)});return(0,M.jsx)(cs,{name:t,usages:i,places:({snippetUsage:e})=>as(e),warning:e=>(0,M.jsxs)(M.Fragment,{children:[t,` is used in `,oi(e.length,`place`),`. Without it their messages fail.`]}),action:a,variables:t=>({id:e,force:t}),onClose:n})}var ps={start:`09:00 AM`,end:`05:00 PM`};function ms(e){let[,t=``,n=``,r=``]=/^(\d\d):(\d\d) (AM|PM)$/i.exec(e)??[];return t&&`${String(t%12+(r.toUpperCase()===`PM`?12:0)).padStart(2,`0`)}:${n}`}function hs(e){let[t=`0`,n=`00`]=e.split(`:`);return`${String((+t+11)%12+1).padStart(2,`0`)}:${n} ${+t<12?`AM`:`PM`}`}var gs=e=>({isEnabled:!0,hours:e?.length?e:void 0}),_s=e=>gs([...e.hours??[],ps]),vs=(e,t,n)=>gs((e.hours??[]).map((e,r)=>r===t?{...e,...n}:e)),ys=(e,t)=>gs((e.hours??[]).filter((e,n)=>n!==t)),bs=[`monday`,`tuesday`,`wednesday`,`thursday`,`friday`,`saturday`,`sunday`],xs={isEnabled:!1};function Ss({s:e,reload:t}){let[n,r]=(0,_.useState)(e.schedule?.isEnabled??!1),[i,a]=(0,_.useState)(()=>e.schedule?.weeklySchedule??Object.fromEntries(bs.map(e=>[e,{isEnabled:!0}]))),[o,s]=(0,_.useState)(!1),c=eo({on:n,week:i}),l=O(Dn,()=>{s(!0),c(),t()});return(0,M.jsx)(N,{title:`Schedule`,children:(0,M.jsxs)(W,{submit:`Save schedule`,action:l,onSubmit:()=>{s(!1),l.run({input:{subscriberId:e.subscriberId,schedule:{isEnabled:n,weeklySchedule:i}}})},children:[(0,M.jsx)(U,{label:`Deliver only within this schedule`,value:n,onChange:r}),n&&bs.map(e=>(0,M.jsx)(Cs,{at:`schedule.weeklySchedule.${e}.hours`,name:B(e),day:i[e]??xs,onChange:t=>a({...i,[e]:t})},e)),(0,M.jsx)(`div`,{role:`status`,children:o&&(0,M.jsx)(`div`,{className:`note good`,children:`Saved.`})})]})})}function Cs({name:e,at:t,day:n,onChange:r}){let i=n.hours??[];return(0,M.jsxs)(`fieldset`,{children:[(0,M.jsx)(`legend`,{children:e}),(0,M.jsxs)(`div`,{className:`row`,children:[(0,M.jsx)(U,{label:`${e}: open`,value:n.isEnabled,onChange:e=>r({...n,isEnabled:e})}),n.isEnabled&&i.length===0&&(0,M.jsx)(`span`,{className:`soft`,children:`all day`}),n.isEnabled&&(0,M.jsx)(`button`,{type:`button`,"aria-label":`Add hours on ${e}`,onClick:()=>r(_s(n)),children:`Add hours`})]}),n.isEnabled&&i.map((i,a)=>(0,M.jsxs)(`div`,{className:`filters`,children:[(0,M.jsx)(V,{label:`${e} ${a+1}: from`,at:`${t}.${a}.start`,type:`time`,value:ms(i.start),onChange:e=>r(vs(n,a,{start:hs(e)})),required:!0}),(0,M.jsx)(V,{label:`${e} ${a+1}: to`,at:`${t}.${a}.end`,type:`time`,value:ms(i.end),onChange:e=>r(vs(n,a,{end:hs(e)})),required:!0}),(0,M.jsx)(`button`,{type:`button`,"aria-label":`Remove hours ${a+1} of ${e}`,onClick:()=>r(ys(n,a)),children:`Remove`})]},a))]})}var ws={SUBSCRIBER:`subscriber`,TEMPLATE:`workflow’s default`,WORKFLOW_OVERRIDE:`tenant`},Ts={IN_APP:`inApp`,EMAIL:`email`,SMS:`sms`,CHAT:`chat`,PUSH:`push`};function Es({id:e}){let t=D(kn,{subscriberId:e}),n=O(An,t.reload),r=O(jn,t.reload),i=Rr(`EDITOR`),[a,o]=(0,_.useState)(``),[s,c]=(0,_.useState)(0),l=(e,t,a,o=!1,s)=>(0,M.jsxs)(`label`,{className:`check`,children:[(0,M.jsx)(`input`,{type:`checkbox`,checked:t,disabled:o||!i||n.busy||r.busy,onChange:e=>a(e.target.checked)}),(0,M.jsx)(`span`,{className:`hidden`,children:e}),s&&(0,M.jsx)(`small`,{className:`soft`,children:s})]});return(0,M.jsxs)(N,{title:`Preferences`,children:[(0,M.jsx)(F,{error:n.error??r.error}),(0,M.jsx)(I,{of:t,children:({subscriberPreferences:t})=>{let i=t.workflows.filter(e=>qi(e.workflow,a)),{at:u,from:d,to:f,rows:p,isLast:m}=Yr(i,s);return(0,M.jsxs)(M.Fragment,{children:[t.workflows.length>25&&(0,M.jsx)(V,{label:`Workflow`,value:a,onChange:o}),(0,M.jsx)(L,{label:`Preferences`,rows:[null,...p],id:e=>e?.workflow.id??`global`,columns:[{name:`Workflow`,cell:e=>e?(0,M.jsxs)(`span`,{children:[e.workflow.name,` `,e.workflow.critical&&(0,M.jsx)(P,{children:`critical`})]}):(0,M.jsx)(`strong`,{children:`All workflows`})},...Fa.map(([i,a])=>({name:a,cell:o=>{let s=(o??t.global).channels[i];if(s===null)return(0,M.jsx)(`span`,{className:`soft`,children:`–`});let c=o?.overrides.find(e=>Ts[e.channel]===i),u={[i]:!s};return l(`${a} for ${o?.workflow.name??`all workflows`}`,s,()=>o?r.run({input:{subscriberId:e,preferences:[{workflowId:o.workflow.id,channels:u}]}}):n.run({input:{subscriberId:e,channels:u}}),o?.workflow.critical,o?o.workflow.critical?`critical: always on`:`by ${c?ws[c.source]:`default`}`:s?`by default`:`by subscriber`)}}))]}),i.length===0&&(0,M.jsx)(`p`,{className:`soft`,children:`No workflows match this filter.`}),i.length>25&&(0,M.jsxs)(`nav`,{className:`row`,"aria-label":`Pages`,children:[(0,M.jsx)(`button`,{type:`button`,disabled:u===0,onClick:()=>c(u-1),children:`Previous`}),(0,M.jsx)(`button`,{type:`button`,disabled:m,onClick:()=>c(u+1),children:`Next`}),(0,M.jsxs)(`span`,{className:`soft`,children:[d+1,` to `,f,` of `,i.length]})]})]})}})]})}var Ds=new Set([`NO_INTEGRATION`,`REJECTED`,`ATTEMPTS_EXHAUSTED`,`OUTCOME_UNKNOWN`,`RENDER_FAILED`,`STOP_ON_FAIL`,`STEP_UNSUPPORTED`,`DELAY_FAILED`,`PARKED`,`NOT_TRIGGERED`,`INVALID_ADDRESS`]),Os=new Set([`SENT`,`COMPLETED`,`TRIGGERED`,`CALLED`,`RECEIPT`,`CONTINUED`,`THROTTLE_PASSED`,`DIGEST_PASSED`]),ks=new Set([`QUEUED`,`RETRY`,`WAITING`,`HELD`,`PACED`,`BREAKER_OPEN`,`FAILOVER`,`RECOVERED`,`DUPLICATE_POSSIBLE`]);function As(e){return Ds.has(e)?`bad`:Os.has(e)?`good`:ks.has(e)?`wait`:``}var js=e=>e.trace.reduce((e,t)=>e+t.count,0),Ms=(e,t)=>e&&js(e)>=js(t)?e:t,Ns={PENDING:`wait`,SENT:`good`,ERROR:`bad`,WARNING:`wait`};function Ps({id:e}){let t=D(bt,{id:e}),[n,r]=(0,_.useState)(),i=t.data?.notification;return vt(wt,{filter:{transactionId:i?.transactionId,subscriberId:i?.subscriber?.subscriberId}},({notificationUpdates:e})=>e.id===i?.id&&r(e),t.reload,!i),(0,M.jsx)(I,{of:t,children:({notification:e})=>(0,M.jsx)(Is,{n:Ms(n,e)})})}function Fs({of:e}){return e.length===0?(0,M.jsx)(`p`,{className:`soft`,children:`No entries yet.`}):(0,M.jsx)(`ol`,{className:`timeline`,"aria-live":`polite`,children:e.map((e,t)=>(0,M.jsxs)(`li`,{className:As(e.reason),children:[(0,M.jsxs)(`div`,{className:`row`,children:[(0,M.jsx)(P,{tone:As(e.reason),children:B(e.reason)}),e.stepId&&(0,M.jsx)(`code`,{children:e.stepId}),e.channel&&(0,M.jsx)(`span`,{className:`soft`,children:B(e.channel)}),e.count>1&&(0,M.jsxs)(`span`,{className:`soft`,children:[e.count,` times`]}),e.attempt!=null&&(0,M.jsxs)(`span`,{className:`soft`,children:[`attempt `,e.attempt]})]}),e.reasons&&e.reasons.length>1&&(0,M.jsxs)(`div`,{children:[`also: `,e.reasons.slice(1).map(B).join(`, `)]}),e.detail&&(0,M.jsx)(`div`,{children:e.detail}),e.until&&(0,M.jsxs)(`div`,{children:[`until `,(0,M.jsx)(z,{at:e.until})]}),e.data!=null&&(0,M.jsxs)(`details`,{className:`small`,children:[(0,M.jsxs)(`summary`,{children:[`Details`,(0,M.jsxs)(`span`,{className:`hidden`,children:[` of `,B(e.reason)]})]}),(0,M.jsx)(ti,{label:`Details of ${B(e.reason)}`,value:e.data})]}),(0,M.jsxs)(`div`,{className:`soft small`,children:[(0,M.jsx)(z,{at:e.at}),e.count>1&&(0,M.jsxs)(M.Fragment,{children:[` `,`to `,(0,M.jsx)(z,{at:e.lastAt})]})]})]},t))})}function Is({n:e}){return(0,M.jsx)(Zr,{title:e.workflow?.name??`Notification`,actions:(0,M.jsx)(Fi,{of:e}),children:(0,M.jsxs)(`div`,{className:`cols`,children:[(0,M.jsx)(N,{title:`Timeline`,children:(0,M.jsx)(Fs,{of:e.trace})}),(0,M.jsxs)(`div`,{className:`stack`,children:[(0,M.jsx)(N,{title:`Details`,children:(0,M.jsx)(ni,{of:{Transaction:(0,M.jsx)(E,{href:`/activity?transaction=${encodeURIComponent(e.transactionId)}`,children:(0,M.jsx)(`code`,{children:e.transactionId})}),Subscriber:e.subscriber&&(0,M.jsx)(E,{href:`/subscribers/${encodeURIComponent(e.subscriber.subscriberId)}`,children:e.subscriber.subscriberId}),Workflow:e.workflow&&(0,M.jsx)(E,{href:`/workflows/${encodeURIComponent(e.workflow.identifier)}`,children:e.workflow.identifier}),Accepted:(0,M.jsx)(z,{at:e.createdAt}),Finished:(0,M.jsx)(z,{at:e.finishedAt}),Due:e.dueAt&&(0,M.jsx)(z,{at:e.dueAt}),Topics:e.topics?.join(`, `),Context:e.contextKeys.join(`, `)||null,Record:(0,M.jsx)(`code`,{children:e.internalId})}})}),e.messages?.nodes.map(e=>(0,M.jsx)(Ls,{m:e},e.id)),(0,M.jsx)(zs,{id:e.eventId})]})]})})}function Ls({m:e}){let[t,n]=(0,_.useState)(!1);return(0,M.jsxs)(N,{title:`${B(e.channel)} message`,actions:(0,M.jsx)(P,{tone:Ns[e.status],children:B(e.status)}),children:[(0,M.jsx)(ni,{of:{Step:(0,M.jsx)(`code`,{children:e.stepId}),To:e.target,Provider:e.providerId,"Provider’s id":e.providerMessageId&&(0,M.jsx)(`code`,{children:e.providerMessageId}),Receipt:e.receipt&&B(e.receipt),Attempts:e.attemptCount,Error:e.errorText}}),(e.subject??e.title)&&(0,M.jsx)(`strong`,{children:e.subject??e.title}),e.content&&(e.content.html?(0,M.jsx)(ii,{html:e.content.html,title:`Mail`}):(0,M.jsx)(`pre`,{tabIndex:0,children:e.content.text})),(0,M.jsx)(`div`,{children:(0,M.jsx)(`button`,{type:`button`,"aria-expanded":t,onClick:()=>n(!t),children:`Attempts`})}),t&&(0,M.jsx)(Rs,{message:e.internalId})]})}function Rs({message:e}){let t=ki(),n=D(xt,{message:e,...t.variables});return(0,M.jsx)(I,{of:n,children:({attempts:e})=>(0,M.jsxs)(M.Fragment,{children:[(0,M.jsx)(L,{label:`Attempts`,rows:e.nodes,id:e=>e.id,empty:`No attempts yet.`,columns:[{name:`No.`,cell:e=>e.number},{name:`Provider`,cell:e=>e.providerId},{name:`Outcome`,cell:e=>(0,M.jsx)(P,{tone:e.outcome===`ACCEPTED`?`good`:e.outcome===`REJECTED`?`bad`:`wait`,children:B(e.outcome)})},{name:`Response`,cell:e=>[e.httpStatus,e.code,e.errorText].filter(Boolean).join(` `)||`–`},{name:`When`,cell:e=>(0,M.jsx)(z,{at:e.createdAt})}]}),(0,M.jsx)(R,{pager:t,info:e.pageInfo})]})})}function zs({id:e}){let t=D(St,{id:e});return(0,M.jsx)(N,{title:`Trigger`,children:(0,M.jsx)(I,{of:t,children:({event:e})=>(0,M.jsxs)(M.Fragment,{children:[(0,M.jsx)(ni,{of:{Type:B(e.kind),Subscribers:e.notified,Failures:e.failures,Request:e.requestId&&(0,M.jsx)(`code`,{children:e.requestId})}}),(0,M.jsx)(`h3`,{children:`Payload`}),(0,M.jsx)(ti,{label:`Payload`,value:e.payload}),e.overrides!=null&&(0,M.jsxs)(M.Fragment,{children:[(0,M.jsx)(`h3`,{children:`Overrides`}),(0,M.jsx)(ti,{label:`Overrides`,value:e.overrides})]})]})})})}function Bs({id:e}){let t=Oi(),n=D(Mn,{subscriberId:e,...t.variables});return(0,M.jsx)(N,{title:`Subscriptions`,children:(0,M.jsx)(I,{of:n,children:({subscriberSubscriptions:e})=>(0,M.jsxs)(M.Fragment,{children:[(0,M.jsx)(L,{label:`Subscriptions`,rows:e.nodes,id:e=>e.id,columns:[{name:`Topic`,cell:e=>e.topic&&(0,M.jsx)(E,{href:`/topics/${encodeURIComponent(e.topic.key)}`,children:e.topic.name||e.topic.key})},{name:`Subscription`,cell:e=>(0,M.jsx)(`code`,{children:e.identifier})},{name:`Context`,cell:e=>e.contextKeys.join(`, `)||`–`},{name:`Since`,cell:e=>(0,M.jsx)(z,{at:e.createdAt})}]}),(0,M.jsx)(R,{pager:t,info:e.pageInfo})]})})})}function Vs({id:e}){let t=Oi(),n=D(Nn,{...t.variables,filter:{subscriberId:e}});return(0,M.jsx)(N,{title:`Messages`,children:(0,M.jsx)(I,{of:n,children:({messages:e})=>(0,M.jsxs)(M.Fragment,{children:[(0,M.jsx)(L,{label:`Messages`,rows:e.nodes,id:e=>e.id,columns:[{name:`When`,cell:e=>(0,M.jsx)(z,{at:e.createdAt})},{name:`Workflow`,cell:e=>(0,M.jsx)(E,{href:`/activity/${e.notificationId}`,children:e.workflow?.name??`deleted workflow`})},{name:`Channel`,cell:e=>B(e.channel)},{name:`Subject`,cell:e=>e.subject??e.title??`–`},{name:`Status`,cell:e=>(0,M.jsx)(P,{tone:Ns[e.status],children:B(e.status)})},{name:`Inbox`,cell:e=>e.channel===`IN_APP`?[e.read&&`read`,e.seen&&`seen`,e.archived&&`archived`].filter(Boolean).join(`, `)||`new`:`–`}]}),(0,M.jsx)(R,{pager:t,info:e.pageInfo})]})})})}function Hs({id:e,tab:t}){let n=D(wn,{subscriberId:e}),[,r]=C(),i=O(On,()=>{Za(),r(`/subscribers`)}),a=`/subscribers/${encodeURIComponent(e)}`;return(0,M.jsx)(I,{of:n,children:({subscriberBySubscriberId:r})=>(0,M.jsxs)(Zr,{title:r.subscriberId,actions:(0,M.jsx)($r,{label:`Delete`,question:`Delete the subscriber ${r.subscriberId}?`,busy:i.busy,onConfirm:()=>i.run({id:r.id})}),children:[(0,M.jsx)(F,{error:i.error}),(0,M.jsx)(ri,{label:`Subscriber`,current:t,tabs:[[`Profile`,a],[`Preferences`,`${a}/preferences`],[`Subscriptions`,`${a}/subscriptions`],[`Messages`,`${a}/messages`]]}),t===`Profile`&&(0,M.jsx)(Ws,{s:r,reload:n.reload}),t===`Preferences`&&(0,M.jsx)(Es,{id:e}),t===`Subscriptions`&&(0,M.jsx)(Bs,{id:e}),t===`Messages`&&(0,M.jsx)(Vs,{id:e})]})})}var Us=[[`firstName`,`First name`],[`lastName`,`Last name`],[`email`,`E-mail address`],[`phone`,`Phone`],[`avatar`,`Avatar`],[`locale`,`Locale`],[`timezone`,`Time zone`]];function Ws({s:e,reload:t}){let[n,r]=(0,_.useState)(()=>Object.fromEntries(Us.map(([t])=>[t,e[t]??``]))),[i,a]=(0,_.useState)(e.data?JSON.stringify(e.data,null,2):``),[o,s]=(0,_.useState)(),[c,l]=(0,_.useState)(!1),u=eo({values:n,data:i}),d=O(En,()=>{l(!0),u(),t()});return(0,M.jsxs)(`div`,{className:`cols`,children:[(0,M.jsx)(N,{title:`Profile`,children:(0,M.jsxs)(W,{submit:`Save`,action:{busy:d.busy,error:o??d.error},onSubmit:()=>{l(!1);try{let t=Object.fromEntries(Us.map(([e])=>[e,n[e]||null]));s(void 0),d.run({input:{id:e.id,...t,data:nt(i,`Data`,`data`)}})}catch(e){s(e)}},children:[Us.map(([e,t])=>(0,M.jsx)(V,{label:t,at:e,value:n[e]??``,onChange:t=>r({...n,[e]:t})},e)),(0,M.jsx)(V,{label:`Data (JSON)`,at:`data`,lines:4,value:i,onChange:a}),(0,M.jsx)(`div`,{role:`status`,children:c&&(0,M.jsx)(`div`,{className:`note good`,children:`Saved.`})})]})}),(0,M.jsxs)(`div`,{className:`stack`,children:[(0,M.jsx)(N,{title:`Details`,children:(0,M.jsx)(ni,{of:{Record:(0,M.jsx)(`code`,{children:e.internalId}),Online:e.isOnline?`yes`:`no`,"Last online":(0,M.jsx)(z,{at:e.lastOnlineAt}),Created:(0,M.jsx)(z,{at:e.createdAt}),Changed:(0,M.jsx)(z,{at:e.updatedAt})}})}),(0,M.jsx)(N,{title:`Channel endpoints`,children:(0,M.jsx)(L,{label:`Channel endpoints`,rows:e.channels?.nodes??[],id:e=>e.id,empty:`No channel endpoints.`,columns:[{name:`Provider`,cell:e=>e.providerId},{name:`Endpoint`,cell:e=>[e.credentials.webhookUrl,e.credentials.channel,...e.credentials.deviceTokens??[]].filter(Boolean).join(`, `)}]})}),(0,M.jsx)(Ss,{s:e,reload:t})]})]})}function Gs(){let{get:e,set:t}=Di(),n={deleted:!1,subscriberIdIn:e(`id`)?[e(`id`)]:void 0,email:e(`email`)||void 0,nameContains:e(`name`)||void 0},r=Oi(),i=D(Cn,{...r.variables,filter:n}),[a,o]=(0,_.useState)(!1);return(0,M.jsxs)(Zr,{title:`Subscribers`,actions:(0,M.jsx)(j,{children:(0,M.jsx)(`button`,{type:`button`,className:`main`,onClick:()=>o(!0),children:`New subscriber`})}),children:[(0,M.jsx)(N,{children:(0,M.jsxs)(`form`,{className:`filters`,role:`search`,"aria-label":`Subscribers`,onSubmit:e=>e.preventDefault(),children:[(0,M.jsx)(V,{label:`Identifier`,value:e(`id`),onChange:t(`id`)}),(0,M.jsx)(V,{label:`E-mail address`,value:e(`email`),onChange:t(`email`)}),(0,M.jsx)(V,{label:`Name contains`,value:e(`name`),onChange:t(`name`)})]})}),(0,M.jsx)(N,{children:(0,M.jsx)(I,{of:i,children:({subscribers:e})=>(0,M.jsxs)(M.Fragment,{children:[(0,M.jsx)(L,{label:`Subscribers`,rows:e.nodes,id:e=>e.id,columns:[{name:`Identifier`,cell:e=>(0,M.jsx)(E,{href:`/subscribers/${encodeURIComponent(e.subscriberId)}`,children:e.subscriberId})},{name:`Name`,cell:e=>[e.firstName,e.lastName].filter(Boolean).join(` `)||`–`},{name:`E-mail`,cell:e=>e.email??`–`},{name:`Phone`,cell:e=>e.phone??`–`},{name:`Online`,cell:e=>e.isOnline?(0,M.jsx)(P,{tone:`good`,children:`online`}):`–`},{name:`Created`,cell:e=>(0,M.jsx)(z,{at:e.createdAt})}]}),(0,M.jsx)(R,{pager:r,info:e.pageInfo})]})})}),a&&(0,M.jsx)(Ks,{onClose:()=>o(!1)})]})}function Ks({onClose:e}){let[t,n]=(0,_.useState)(``),[r,i]=(0,_.useState)(``),[,a]=C(),o=O(Tn,e=>a(`/subscribers/${encodeURIComponent(e.createSubscriber.subscriberId)}`));return(0,M.jsx)(Qr,{title:`New subscriber`,onClose:e,children:(0,M.jsxs)(W,{submit:`Create`,action:o,onSubmit:()=>o.run({input:{subscriberId:t,email:r||void 0}}),children:[(0,M.jsx)(V,{label:`Identifier`,at:`subscriberId`,value:t,onChange:n,required:!0,hint:`The ID of the user in your system.`}),(0,M.jsx)(V,{label:`E-mail address`,at:`email`,value:r,onChange:i})]})})}function qs({tenant:e}){let t=Oi(`workflows-`),n=D(In,{tenant:e,...t.variables}),r=O(Bn,n.reload),i=O(Vn,n.reload),a=O(Bn,()=>{s(``),n.reload()}),[o,s]=(0,_.useState)(``),c=(t,n)=>r.run({input:{tenantIdentifier:e,workflow:t.workflow.id,...n}});return(0,M.jsxs)(N,{title:`Workflows for this tenant`,children:[(0,M.jsx)(F,{error:r.error??i.error}),(0,M.jsx)(I,{of:n,children:({tenantWorkflows:e})=>(0,M.jsxs)(M.Fragment,{children:[(0,M.jsx)(L,{label:`Workflows for this tenant`,rows:e.nodes.filter(e=>e.workflow),id:e=>e.id,empty:`No overrides: all workflows use their own settings.`,columns:[{name:`Workflow`,cell:e=>(0,M.jsx)(E,{href:`/workflows/${encodeURIComponent(e.workflow.identifier)}`,children:e.workflow.name})},{name:`Enabled`,cell:e=>(0,M.jsx)(mi,{label:`${e.workflow.name} is enabled for this tenant`,on:e.active,busy:r.busy,onChange:t=>c(e,{active:t})})},...Fa.map(([e,t])=>({name:t,cell:n=>(0,M.jsx)(Js,{label:`${t} for ${n.workflow.name}`,value:n.preferences[e],onChange:t=>c(n,{preferences:{...n.preferences,[e]:t}})})})),{name:``,cell:e=>(0,M.jsx)($r,{label:`Remove`,question:`Remove the overrides of ${e.workflow.name}?`,busy:i.busy,onConfirm:()=>i.run({id:e.id})})}]}),(0,M.jsx)(R,{pager:t,info:e.pageInfo})]})}),(0,M.jsx)(j,{children:(0,M.jsx)(W,{submit:`Add`,action:a,onSubmit:()=>a.run({input:{tenantIdentifier:e,workflow:o}}),children:(0,M.jsx)(V,{label:`Workflow (identifier)`,at:`workflow`,value:o,onChange:s,required:!0})})})]})}function Js({label:e,value:t,onChange:n}){let r=Rr(`EDITOR`);return(0,M.jsxs)(`select`,{"aria-label":e,disabled:!r,value:String(t),onChange:e=>n(e.target.value===`null`?null:e.target.value===`true`),children:[(0,M.jsx)(`option`,{value:`null`,children:`default`}),(0,M.jsx)(`option`,{value:`true`,children:`on`}),(0,M.jsx)(`option`,{value:`false`,children:`off`})]})}function Ys(){let{get:e,set:t}=Di(),n=e(`name`),r=Oi(),i=D(Pn,{...r.variables,filter:{nameContains:n||void 0}}),[a,o]=(0,_.useState)(!1);return(0,M.jsxs)(Zr,{title:`Tenants`,actions:(0,M.jsx)(j,{children:(0,M.jsx)(`button`,{type:`button`,className:`main`,onClick:()=>o(!0),children:`New tenant`})}),children:[(0,M.jsx)(N,{children:(0,M.jsx)(V,{label:`Name contains`,value:n,onChange:t(`name`)})}),(0,M.jsx)(N,{children:(0,M.jsx)(I,{of:i,children:({tenants:e})=>(0,M.jsxs)(M.Fragment,{children:[(0,M.jsx)(L,{label:`Tenants`,rows:e.nodes,id:e=>e.id,columns:[{name:`Identifier`,cell:e=>(0,M.jsx)(E,{href:`/tenants/${encodeURIComponent(e.identifier)}`,children:e.identifier})},{name:`Name`,cell:e=>e.name??`–`},{name:`Created`,cell:e=>(0,M.jsx)(z,{at:e.createdAt})}]}),(0,M.jsx)(R,{pager:r,info:e.pageInfo})]})})}),a&&(0,M.jsx)(Xs,{onClose:()=>o(!1)})]})}function Xs({onClose:e}){let[t,n]=(0,_.useState)(``),[r,i]=(0,_.useState)(``),[,a]=C(),o=O(Ln,e=>a(`/tenants/${encodeURIComponent(e.createTenant.identifier)}`));return(0,M.jsx)(Qr,{title:`New tenant`,onClose:e,children:(0,M.jsxs)(W,{submit:`Create`,action:o,onSubmit:()=>o.run({input:{identifier:t,name:r||void 0}}),children:[(0,M.jsx)(V,{label:`Identifier`,at:`identifier`,value:t,onChange:n,required:!0,hint:`Used by triggers.`}),(0,M.jsx)(V,{label:`Name`,at:`name`,value:r,onChange:i})]})})}function Zs({identifier:e}){let t=D(Fn,{identifier:e});return(0,M.jsx)(I,{of:t,children:({tenantByIdentifier:e})=>(0,M.jsx)(Qs,{of:e,reload:t.reload},e.id)})}function Qs({of:e,reload:t}){let[n,r]=(0,_.useState)(e.name??``),[i,a]=(0,_.useState)(e.data==null?``:JSON.stringify(e.data,null,2)),[o,s]=(0,_.useState)(),[c,l]=(0,_.useState)(!1),[,u]=C(),d=eo({name:n,data:i}),f=O(Rn,()=>{l(!0),d(),t()}),p=O(zn,()=>{Za(),u(`/tenants`)});return(0,M.jsxs)(Zr,{title:e.name||e.identifier,actions:(0,M.jsx)($r,{label:`Delete`,question:`Delete the tenant ${e.identifier} with its workflow settings?`,busy:p.busy,onConfirm:()=>p.run({id:e.id})}),children:[(0,M.jsx)(F,{error:p.error}),(0,M.jsxs)(`div`,{className:`cols`,children:[(0,M.jsx)(N,{title:`Tenant`,children:(0,M.jsxs)(W,{submit:`Save`,action:{busy:f.busy,error:o??f.error},onSubmit:()=>{l(!1),s(void 0);try{f.run({input:{id:e.id,name:n||null,data:nt(i,`Data`,`data`)}})}catch(e){s(e)}},children:[(0,M.jsx)(V,{label:`Name`,at:`name`,value:n,onChange:r}),(0,M.jsx)(V,{label:`Data (JSON)`,at:`data`,lines:6,value:i,onChange:a,hint:`Available in templates as {{ tenant.data.<key> }}.`}),(0,M.jsx)(`div`,{role:`status`,children:c&&(0,M.jsx)(`div`,{className:`note good`,children:`Saved.`})})]})}),(0,M.jsx)(N,{title:`Details`,children:(0,M.jsx)(ni,{of:{Identifier:(0,M.jsx)(`code`,{children:e.identifier}),Record:(0,M.jsx)(`code`,{children:e.internalId}),Created:(0,M.jsx)(z,{at:e.createdAt}),Changed:(0,M.jsx)(z,{at:e.updatedAt})}})})]}),(0,M.jsx)(qs,{tenant:e.identifier})]})}function $s(){let{get:e,set:t}=Di(),n=e(`key`),r=Oi(),i=D(Hn,{...r.variables,filter:{keyContains:n||void 0}}),[a,o]=(0,_.useState)(!1);return(0,M.jsxs)(Zr,{title:`Topics`,actions:(0,M.jsx)(j,{children:(0,M.jsx)(`button`,{type:`button`,className:`main`,onClick:()=>o(!0),children:`New topic`})}),children:[(0,M.jsx)(N,{children:(0,M.jsx)(V,{label:`Key contains`,value:n,onChange:t(`key`)})}),(0,M.jsx)(N,{children:(0,M.jsx)(I,{of:i,children:({topics:e})=>(0,M.jsxs)(M.Fragment,{children:[(0,M.jsx)(L,{label:`Topics`,rows:e.nodes,id:e=>e.id,columns:[{name:`Key`,cell:e=>(0,M.jsx)(E,{href:`/topics/${encodeURIComponent(e.key)}`,children:e.key})},{name:`Name`,cell:e=>e.name??`–`},{name:`Created`,cell:e=>(0,M.jsx)(z,{at:e.createdAt})}]}),(0,M.jsx)(R,{pager:r,info:e.pageInfo})]})})}),a&&(0,M.jsx)(ec,{onClose:()=>o(!1)})]})}function ec({onClose:e}){let[t,n]=(0,_.useState)(``),[r,i]=(0,_.useState)(``),[,a]=C(),o=O(Gn,e=>a(`/topics/${encodeURIComponent(e.createTopic.key)}`));return(0,M.jsx)(Qr,{title:`New topic`,onClose:e,children:(0,M.jsxs)(W,{submit:`Create`,action:o,onSubmit:()=>o.run({input:{key:t,name:r||void 0}}),children:[(0,M.jsx)(V,{label:`Key`,at:`key`,value:t,onChange:n,required:!0}),(0,M.jsx)(V,{label:`Name`,at:`name`,value:r,onChange:i})]})})}function tc({topicKey:e}){let t=D(Un,{key:e}),n=Oi(),r=D(Wn,{key:e,...n.variables}),[,i]=C(),[a,o]=(0,_.useState)(!1),s=O(Kn,()=>{o(!0),t.reload()}),c=O(qn,()=>i(`/topics`)),[l,u]=(0,_.useState)(),d=O(Jn,e=>{let[t]=e.createSubscriptions.errors;u(t&&Error(`${t.subscriberId}: ${t.message}`)),t||g(``),r.reload()}),f=O(Yn,r.reload),[p,m]=(0,_.useState)(),[h,g]=(0,_.useState)(``);return(0,M.jsx)(I,{of:t,children:({topicByKey:e})=>(0,M.jsxs)(Zr,{title:e.name||e.key,actions:(0,M.jsx)($r,{label:`Delete`,question:`Delete the topic ${e.key} with its subscriptions?`,busy:c.busy,onConfirm:()=>c.run({id:e.id})}),children:[(0,M.jsx)(F,{error:c.error??f.error}),(0,M.jsxs)(`div`,{className:`cols`,children:[(0,M.jsx)(N,{title:`Topic`,children:(0,M.jsxs)(W,{submit:`Save`,action:s,onSubmit:()=>{o(!1),s.run({input:{id:e.id,name:p??e.name}})},children:[(0,M.jsx)(V,{label:`Key`,value:e.key,onChange:()=>{},readOnly:!0}),(0,M.jsx)(V,{label:`Name`,at:`name`,value:p??e.name??``,onChange:m}),(0,M.jsx)(`div`,{role:`status`,children:a&&(0,M.jsx)(`div`,{className:`note good`,children:`Saved.`})})]})}),(0,M.jsx)(j,{children:(0,M.jsx)(N,{title:`Add a subscriber`,children:(0,M.jsx)(W,{submit:`Subscribe`,action:{busy:d.busy,error:d.error??l},onSubmit:()=>d.run({input:{topicKey:e.key,subscriptions:[{subscriberId:h}]}}),children:(0,M.jsx)(V,{label:`Subscriber`,at:`subscriptions`,value:h,onChange:g,required:!0})})})})]}),(0,M.jsx)(N,{title:`Subscriptions`,children:(0,M.jsx)(I,{of:r,children:({subscriptions:t})=>(0,M.jsxs)(M.Fragment,{children:[(0,M.jsx)(L,{label:`Subscriptions`,rows:t.nodes,id:e=>e.id,columns:[{name:`Subscriber`,cell:e=>e.subscriber&&(0,M.jsx)(E,{href:`/subscribers/${encodeURIComponent(e.subscriber.subscriberId)}`,children:e.subscriber.subscriberId})},{name:`Subscription`,cell:e=>(0,M.jsx)(`code`,{children:e.identifier})},{name:`Context`,cell:e=>e.contextKeys.join(`, `)||`–`},{name:`Since`,cell:e=>(0,M.jsx)(z,{at:e.createdAt})},{name:``,cell:t=>(0,M.jsx)(j,{children:(0,M.jsx)(`button`,{type:`button`,disabled:f.busy,onClick:()=>f.run({input:{topicKey:e.key,subscriptions:[{identifier:t.identifier}]}}),children:`Unsubscribe`})})}]}),(0,M.jsx)(R,{pager:n,info:t.pageInfo})]})})})]})})}var nc=new Intl.DisplayNames(`en`,{type:`language`});function rc(e){try{return nc.of(e)??e}catch{return`–`}}var ic=e=>Object.entries(e).sort(([e],[t])=>e.localeCompare(t)),ac=(e,t)=>e.findIndex(([e])=>e===t),oc=(e,t)=>ac(e,e[t]?.[0]??``)<t,sc=e=>e.find((t,n)=>oc(e,n))?.[0],cc=(e,t)=>Object.keys(t).filter(t=>ac(e,t)<0).sort(),lc=e=>[...new Set(e.flatMap(e=>e.locales))].sort();function uc(){let e=Oi(),t=D(Xn,{...e.variables}),[n,r]=(0,_.useState)(!1);return(0,M.jsxs)(Zr,{title:`Translations`,actions:(0,M.jsx)(j,{children:(0,M.jsx)(`button`,{type:`button`,className:`main`,onClick:()=>r(!0),children:`New locale`})}),children:[(0,M.jsx)(N,{children:(0,M.jsx)(I,{of:t,children:({translations:t})=>(0,M.jsxs)(M.Fragment,{children:[(0,M.jsx)(L,{label:`Translations`,rows:t.nodes,id:e=>e.id,empty:`No translations. Use them in templates with {{ 'key' | t }}.`,columns:[{name:`Locale`,cell:e=>(0,M.jsx)(E,{href:`/translations/${encodeURIComponent(e.locale)}`,children:e.locale})},{name:`Language`,cell:e=>rc(e.locale)},{name:`Texts`,cell:e=>Object.keys(e.content).length},{name:`Changed`,cell:e=>(0,M.jsx)(z,{at:e.updatedAt})}]}),(0,M.jsx)(R,{pager:e,info:t.pageInfo})]})})}),(0,M.jsx)(dc,{}),n&&(0,M.jsx)(fc,{onClose:()=>r(!1)})]})}function dc(){let{get:e,set:t}=Di(`missing.`),n=Oi(`missing.`),r=e(`used`)===`true`||void 0,i=D($n,{...n.variables,filter:{used:r}});return(0,M.jsxs)(N,{title:`Missing translations`,children:[(0,M.jsx)(`p`,{className:`soft`,children:`Keys that templates use or another locale has. Where one is missing, the text of the default locale is shown, or the key itself.`}),(0,M.jsx)(U,{label:`Only keys that templates use`,value:r??!1,onChange:e=>t(`used`)(e?`true`:``)}),(0,M.jsx)(I,{of:i,children:({missingTranslations:{nodes:e,pageInfo:t,totalCount:r}})=>(0,M.jsxs)(M.Fragment,{children:[r>0&&(0,M.jsxs)(`p`,{children:[oi(r,`key`),` missing in some locale.`]}),(0,M.jsx)(`div`,{className:`scroll`,role:`region`,"aria-label":`Missing translations`,tabIndex:0,children:(0,M.jsx)(L,{label:`Missing translations`,rows:e,id:e=>e.key,empty:`No translations are missing.`,columns:[{name:`Key`,cell:e=>(0,M.jsx)(`code`,{children:e.key})},...lc(e).map(e=>({name:e,cell:t=>t.locales.includes(e)?(0,M.jsx)(P,{tone:`wait`,children:`missing`}):`–`})),{name:`Used by`,cell:e=>e.usages.length>0?(0,M.jsx)(ss,{of:e.usages,most:5}):`no template`}]})}),(0,M.jsx)(R,{pager:n,info:t})]})})]})}function fc({onClose:e}){let[t,n]=(0,_.useState)(``),[,r]=C(),i=O(er,e=>r(`/translations/${encodeURIComponent(e.createTranslation.locale)}`));return(0,M.jsx)(Qr,{title:`New locale`,onClose:e,children:(0,M.jsx)(W,{submit:`Create`,action:i,onSubmit:()=>i.run({input:{locale:t,content:{}}}),children:(0,M.jsx)(V,{label:`Locale`,at:`locale`,value:t,onChange:n,required:!0,hint:`Such as en or pt-BR.`})})})}function pc({locale:e}){let t=D(Zn,{locale:e});return(0,M.jsx)(I,{of:t,children:({translationByLocale:e,viewer:n})=>(0,M.jsx)(mc,{of:e,fallback:n.environment.defaultLocale,reload:t.reload},e.id)})}function mc({of:e,fallback:t,reload:n}){let[r,i]=(0,_.useState)(()=>ic(e.content)),[a,o]=(0,_.useState)(!1),s=D(Qn,{locales:[t]},e.locale===t).data?.translations.nodes[0]?.content??{},c=cc(r,s),[,l]=C(),u=eo(r),d=O(tr,()=>{o(!0),u(),n()}),f=O(nr,()=>{Za(),l(`/translations`)}),p=sc(r),[m,h]=(0,_.useState)(),g=()=>{o(!1),h(p===void 0?void 0:Error(`The key ${p} appears twice.`)),p===void 0&&d.run({input:{id:e.id,content:Object.fromEntries(r)}})},v=e=>{o(!1),i(e)},y=(e,t)=>v(Hi(r,e,t));return(0,M.jsxs)(Zr,{title:`Translation: ${e.locale}`,actions:(0,M.jsx)($r,{label:`Delete`,question:`Delete all texts of ${e.locale}?`,busy:f.busy,onConfirm:()=>f.run({id:e.id})}),children:[(0,M.jsx)(F,{error:f.error}),(0,M.jsxs)(N,{title:rc(e.locale),children:[(0,M.jsxs)(W,{submit:`Save`,action:{busy:d.busy,error:m??d.error},onSubmit:g,children:[r.length===0&&(0,M.jsx)(`p`,{className:`soft`,children:`No texts yet.`}),r.map(([e,n],i)=>(0,M.jsxs)(`div`,{className:`texts`,role:`group`,"aria-label":`Text ${i+1}`,children:[(0,M.jsx)(V,{label:`Key ${i+1}`,wrong:m&&e===p&&oc(r,i)?`This key appears twice.`:``,value:e,onChange:e=>y(i,[e,n]),required:!0}),(0,M.jsx)(V,{label:`Text ${i+1}`,at:`content.${e}`,lines:1,value:n,onChange:t=>y(i,[e,t]),hint:s[e]&&`${t}: ${s[e]}`}),(0,M.jsx)(`button`,{type:`button`,"aria-label":`Remove text ${i+1}`,onClick:()=>v(Ui(r,i)),children:`Remove`})]},i)),(0,M.jsx)(j,{children:(0,M.jsxs)(`div`,{className:`row`,children:[(0,M.jsx)(`button`,{type:`button`,onClick:()=>v([...r,[``,``]]),children:`Add text`}),c.length>0&&(0,M.jsxs)(`button`,{type:`button`,onClick:()=>v([...r,...c.map(e=>[e,``])]),children:[`Add `,c.length,` missing from `,t]})]})}),(0,M.jsx)(`div`,{role:`status`,children:a&&(0,M.jsx)(`div`,{className:`note good`,children:`Saved.`})})]}),(0,M.jsxs)(`p`,{className:`soft small`,children:[`Use them in templates with `,(0,M.jsx)(`code`,{children:`{{ 'key' | t }}`}),`, and with arguments as`,` `,(0,M.jsx)(`code`,{children:`{{ 'key' | t: count: payload.count }}`}),`: the text is then a message of ICU, such as`,` `,(0,M.jsx)(`code`,{children:`{count, plural, one {# item} other {# items}}`}),`. `,(0,M.jsx)(`a`,{href:`/docs/languages`,children:`Languages`}),` lists what it can hold. Without arguments a text is shown as it is.`]})]})]})}function hc(){let e=Oi(),t=D(rr,e.variables),[n,r]=(0,_.useState)(!1),[i,a]=(0,_.useState)(),[o,s]=(0,_.useState)(),c=()=>{r(!1),a(void 0),s(void 0),t.reload()};return(0,M.jsxs)(Zr,{title:`Variables`,actions:(0,M.jsx)(j,{children:(0,M.jsx)(`button`,{type:`button`,className:`main`,onClick:()=>r(!0),children:`New variable`})}),children:[(0,M.jsxs)(N,{children:[(0,M.jsxs)(`p`,{className:`soft`,children:[`Templates use a variable as `,(0,M.jsx)(`code`,{children:`{{ env.NAME }}`}),`; its value may differ in every environment. Only credentials of integrations and headers of HTTP steps can use a secret one.`]}),(0,M.jsx)(I,{of:t,children:({variables:t})=>(0,M.jsxs)(M.Fragment,{children:[(0,M.jsx)(L,{label:`Variables`,rows:t.nodes,id:e=>e.id,empty:`No variables.`,columns:[{name:`Name`,cell:e=>(0,M.jsx)(`code`,{children:e.name})},{name:`Value`,cell:e=>e.secret?(0,M.jsx)(P,{children:`secret`}):e.value},{name:`Changed`,cell:e=>(0,M.jsx)(z,{at:e.updatedAt})},{name:``,cell:e=>(0,M.jsx)(j,{needs:e.secret?`ADMIN`:`EDITOR`,children:(0,M.jsxs)(`span`,{className:`row`,children:[(0,M.jsx)(`button`,{type:`button`,onClick:()=>a(e),"aria-label":`Change ${e.name}`,children:`Change`}),(0,M.jsx)(`button`,{type:`button`,className:`danger`,onClick:()=>s(e),"aria-label":`Delete ${e.name}`,children:`Delete`})]})})}]}),(0,M.jsx)(R,{pager:e,info:t.pageInfo})]})})]}),n&&(0,M.jsx)(_c,{onClose:()=>r(!1),onDone:c}),i&&(0,M.jsx)(vc,{of:i,onClose:()=>a(void 0),onDone:c}),o&&(0,M.jsx)(yc,{of:o,onClose:()=>s(void 0),onDone:c})]})}function gc({secret:e,value:t,onChange:n}){return e?(0,M.jsx)(V,{label:`Value`,at:`value`,type:`password`,autoComplete:`new-password`,value:t,onChange:n}):(0,M.jsx)(V,{label:`Value`,at:`value`,lines:3,value:t,onChange:n})}function _c({onClose:e,onDone:t}){let[n,r]=(0,_.useState)(``),[i,a]=(0,_.useState)(``),[o,s]=(0,_.useState)(!1),c=O(ar,t);return(0,M.jsx)(Qr,{title:`New variable`,onClose:e,children:(0,M.jsxs)(W,{submit:`Create`,action:c,onSubmit:()=>c.run({input:{name:n,value:i,secret:o}}),children:[(0,M.jsx)(V,{label:`Name`,at:`name`,value:n,onChange:r,required:!0,hint:`Letters, digits and _, such as SHOP_URL. It cannot be changed later.`}),(0,M.jsx)(gc,{secret:o,value:i,onChange:a}),(0,M.jsx)(j,{needs:`ADMIN`,children:(0,M.jsx)(U,{label:`Secret: its value is never shown again`,value:o,onChange:s})})]})})}function vc({of:e,onClose:t,onDone:n}){let[r,i]=(0,_.useState)(e.value??``),a=O(or,n);return(0,M.jsx)(Qr,{title:`Change ${e.name}`,onClose:t,children:(0,M.jsxs)(W,{submit:`Save`,action:a,onSubmit:()=>a.run({input:{id:e.id,value:r}}),children:[e.secret&&(0,M.jsx)(`p`,{className:`soft`,children:`The stored value is not shown. What you enter replaces it.`}),(0,M.jsx)(gc,{secret:e.secret,value:r,onChange:i})]})})}function yc({of:e,onClose:t,onDone:n}){let r=D(ir,{id:e.id}),i=O(sr,n);return(0,M.jsx)(cs,{name:e.name,usages:r,places:e=>e.variableUsages,warning:t=>(0,M.jsxs)(M.Fragment,{children:[e.name,` is used in `,oi(t.length,`place`),`. Without it templates render nothing there`,t.some(e=>e.kind===`INTEGRATION`)&&`, and the integrations cannot send`,`.`]}),action:i,variables:t=>({id:e.id,evenIfUsed:t}),onClose:t})}var bc=e=>e.issueType===`INBOX_NOT_CONNECTED`;function xc({of:e}){let t=e.issues.filter(e=>!bc(e)).length;return(0,M.jsxs)(M.Fragment,{children:[e.publishedNumber===0?(0,M.jsx)(P,{tone:`wait`,children:`Draft`}):e.active?(0,M.jsx)(P,{tone:`good`,children:`Published`}):(0,M.jsx)(P,{children:`Off`}),t>0&&(0,M.jsxs)(M.Fragment,{children:[` `,(0,M.jsx)(P,{tone:`bad`,children:t===1?`1 problem`:`${t} problems`})]})]})}function Sc({of:e}){let t=e.filter(e=>!bc(e));return(0,M.jsxs)(M.Fragment,{children:[t.length>0&&(0,M.jsxs)(`div`,{className:`note wait`,children:[(0,M.jsx)(`strong`,{children:`The draft has problems.`}),(0,M.jsx)(`ul`,{children:t.map((e,t)=>(0,M.jsxs)(`li`,{children:[e.stepId&&(0,M.jsx)(`code`,{children:e.stepId}),` `,e.message]},t))})]}),e.some(bc)&&(0,M.jsx)(`p`,{className:`soft`,children:`No inbox was connected in this environment when the draft was saved. In-app messages are kept until the subscriber opens the inbox.`})]})}var Cc=(e,t,n)=>Wi(e,t,t+n),wc=(e,t)=>e.slice(0,t).some(e=>e.type===`DIGEST`);function Tc(e,t){let{variants:n,...r}=e;if(!t)return r;let{inApp:i,email:a,sms:o,chat:s,push:c}=t;return{...r,inApp:i,email:a,sms:o,chat:s,push:c}}function Ec(e){let{inApp:t,email:n,sms:r,chat:i,push:a,variants:o=[]}=e,s=`Variant ${(o??[]).length+1}`;return[...o??[],{name:s,filters:[],inApp:t,email:n,sms:r,chat:i,push:a}]}function Dc(e,t){let n=e[t];return n?[n,...e.filter(e=>e!==n)]:[...e]}var Oc=e=>Object.entries(e).map(([e,t])=>`${e}: ${t}`).join(`
`);function kc(e){let t=e.split(`
`).map(e=>e.split(/:(.*)/s,2));return Object.fromEntries(t.flatMap(([e=``,t=``])=>e.trim()?[[e.trim(),t.trim()]]:[]))}var Ac=e=>e.split(`,`).map(e=>e.trim()).filter(Boolean);function jc({of:e,onChange:t}){return(0,M.jsxs)(M.Fragment,{children:[(0,M.jsx)(V,{label:`Workflow to trigger`,at:`trigger.workflow`,value:e.workflow,onChange:n=>t({...e,workflow:n})}),(0,M.jsx)(Ja,{label:`Payload`,at:`trigger.payload`,value:e.payload,onChange:n=>t({...e,payload:n}),hint:`Liquid is rendered in all texts.`})]})}var Mc=[`GET`,`POST`,`PUT`,`PATCH`,`DELETE`];function Nc({of:e,onChange:t}){let n=n=>t({...e,...n});return(0,M.jsxs)(M.Fragment,{children:[(0,M.jsx)(V,{label:`Address`,at:`custom.url`,value:e.url,onChange:e=>n({url:e})}),(0,M.jsxs)(`div`,{className:`filters`,children:[(0,M.jsx)(H,{label:`Method`,value:e.method??`POST`,onChange:e=>n({method:e}),options:Mc.map(e=>({value:e,label:e}))}),(0,M.jsx)(fi,{label:`Timeout (seconds)`,at:`custom.timeoutSeconds`,value:e.timeoutSeconds,onChange:e=>n({timeoutSeconds:e})})]}),(0,M.jsx)(Pc,{of:e.headers??{},onChange:e=>n({headers:e})}),(0,M.jsx)(V,{label:`Body`,at:`custom.body`,lines:5,value:e.body??``,onChange:e=>n({body:e}),hint:`Liquid. If empty, the data of the run is sent as JSON.`})]})}function Pc({of:e,onChange:t}){let[n,r]=(0,_.useState)(()=>Oc(e));return(0,M.jsx)(V,{label:`Headers`,at:`custom.headers`,lines:2,value:n,onChange:e=>{r(e),t(kc(e))},placeholder:`Authorization: Bearer …`,hint:`One per line. Liquid is rendered in values.`})}function Fc(e){return e===`TIMED`?{type:e,amount:1,unit:`DAYS`,backoff:!1,backoffAmount:void 0,backoffUnit:void 0,timed:{atTime:`09:00`}}:{type:e,timed:void 0,...e===`BACKOFF`&&{backoffAmount:1,backoffUnit:`HOURS`}}}var Ic=e=>({backoff:e,backoffAmount:e?1:void 0,backoffUnit:e?`HOURS`:void 0}),Lc=e=>e.type===`BACKOFF`||e.backoff===!0;function Rc(e,t){switch(e){case`WEEKS`:return{atTime:t,weekDays:[`MONDAY`]};case`MONTHS`:return zc(`EACH`,t);default:return{atTime:t}}}var zc=(e,t)=>e===`ON`?{atTime:t,monthlyType:`ON`,ordinal:`FIRST`,ordinalValue:`MONDAY`}:{atTime:t,monthlyType:`EACH`,monthDays:[`1`]},Bc=(e,{extendToSchedule:t})=>e===`REGULAR`?{type:e,amount:1,unit:`HOURS`,extendToSchedule:t}:{type:e,delayPath:``,extendToSchedule:t},Vc=[`SECONDS`,`MINUTES`,`HOURS`,`DAYS`,`WEEKS`,`MONTHS`];function Hc({label:e,at:t,amount:n,unit:r,onChange:i,options:a=Vc}){return(0,M.jsxs)(`div`,{className:`filters`,children:[(0,M.jsx)(fi,{label:e,at:t[0],value:n,onChange:e=>i({amount:e})}),(0,M.jsx)(H,{label:`${e}: unit`,at:t[1],value:r??a[0],onChange:e=>i({unit:e}),options:a})]})}function Uc({of:e,onChange:t}){let n=n=>t({...e,...n}),r=e=>n(Fc(e));return(0,M.jsxs)(M.Fragment,{children:[(0,M.jsx)(H,{label:`Kind`,value:e.type,onChange:e=>r(e),options:Wc}),e.type===`TIMED`?(0,M.jsx)(Jc,{of:e,onChange:n}):(0,M.jsx)(Hc,{label:`Collect for`,at:[`digest.amount`,`digest.unit`],amount:e.amount,unit:e.unit,onChange:n}),e.type===`REGULAR`&&(0,M.jsx)(U,{label:`Send the first event at once if there was none in the look-back window`,value:e.backoff??!1,onChange:e=>n(Ic(e))}),Lc(e)&&(0,M.jsx)(Hc,{label:`Look-back window`,at:[`digest.backoffAmount`,`digest.backoffUnit`],amount:e.backoffAmount,unit:e.backoffUnit,onChange:({amount:e,unit:t})=>n({...e!==void 0&&{backoffAmount:e},...t&&{backoffUnit:t}})}),(0,M.jsx)(V,{label:`Key`,at:`digest.digestKey`,value:e.digestKey??``,onChange:e=>n({digestKey:e}),hint:`Events with different values at this payload path are digested separately.`}),(0,M.jsx)(U,{label:`Update the in-app message of the first event with each later event`,value:e.updateMode??!1,onChange:e=>n({updateMode:e})}),(0,M.jsx)(U,{label:`Extend to the subscriber’s schedule`,value:e.extendToSchedule??!1,onChange:e=>n({extendToSchedule:e})})]})}var Wc=[{value:`REGULAR`,label:`For a period after the first event`},{value:`BACKOFF`,label:`First event at once, then collect`},{value:`TIMED`,label:`Until a time of day`}],Gc=[`MONDAY`,`TUESDAY`,`WEDNESDAY`,`THURSDAY`,`FRIDAY`,`SATURDAY`,`SUNDAY`],Kc=[`FIRST`,`SECOND`,`THIRD`,`FOURTH`,`FIFTH`,`LAST`],qc=[`DAY`,`WEEKDAY`,`WEEKEND`,...Gc];function Jc({of:e,onChange:t}){let n=e.timed??{atTime:``},r=e=>t({timed:{...n,...e}}),{atTime:i}=n,a=n.weekDays??[];return(0,M.jsxs)(`fieldset`,{children:[(0,M.jsx)(`legend`,{children:`Closes`}),(0,M.jsx)(V,{label:`At`,at:`digest.timed.atTime`,type:`time`,value:i,onChange:e=>r({atTime:e}),required:!0,hint:`In the subscriber’s time zone.`}),(0,M.jsx)(Hc,{label:`Every`,at:[`digest.amount`,`digest.unit`],amount:e.amount,unit:e.unit,onChange:({amount:e,unit:n})=>t(n?{unit:n,timed:Rc(n,i)}:{amount:e}),options:[`DAYS`,`WEEKS`,`MONTHS`]}),e.unit===`WEEKS`&&(0,M.jsx)(`div`,{className:`row`,role:`group`,"aria-label":`Days of the week`,children:Gc.map(e=>(0,M.jsx)(U,{label:B(e),value:a.includes(e),onChange:t=>r({weekDays:Ki(Gc,a,e,t)})},e))}),e.unit===`MONTHS`&&(0,M.jsxs)(M.Fragment,{children:[(0,M.jsx)(H,{label:`Days of the month`,value:n.monthlyType??`EACH`,onChange:e=>t({timed:zc(e,i)}),options:[{value:`EACH`,label:`By date`},{value:`ON`,label:`By weekday`}]}),n.monthlyType===`ON`?(0,M.jsxs)(`div`,{className:`filters`,children:[(0,M.jsx)(H,{label:`Which`,value:n.ordinal??`FIRST`,onChange:e=>r({ordinal:e}),options:Kc}),(0,M.jsx)(H,{label:`Day`,value:n.ordinalValue??`MONDAY`,onChange:e=>r({ordinalValue:e}),options:qc})]}):(0,M.jsx)(Yc,{dates:n.monthDays??[],onChange:e=>r({monthDays:e})})]})]})}function Yc({dates:e,onChange:t}){let n=Array.from({length:31},(e,t)=>String(t+1));return(0,M.jsx)(`div`,{className:`dates`,role:`group`,"aria-label":`Dates`,children:n.map(r=>(0,M.jsx)(U,{label:r,value:e.includes(r),onChange:i=>t(Ki(n,e,r,i))},r))})}function Xc({of:e,onChange:t}){let n=n=>t({...e,...n});return(0,M.jsxs)(M.Fragment,{children:[(0,M.jsx)(H,{label:`Kind`,value:e.type,onChange:n=>t(Bc(n,e)),options:[{value:`REGULAR`,label:`For a period`},{value:`SCHEDULED`,label:`Until a time in the payload`}]}),e.type===`REGULAR`?(0,M.jsx)(Hc,{label:`Wait for`,at:[`delay.amount`,`delay.unit`],amount:e.amount,unit:e.unit,onChange:n}):(0,M.jsxs)(`div`,{className:`filters`,children:[(0,M.jsx)(V,{label:`Payload path of the time`,at:`delay.delayPath`,value:e.delayPath??``,onChange:e=>n({delayPath:e})}),(0,M.jsx)(H,{label:`If the time has passed`,value:e.past??`CONTINUE`,onChange:e=>n({past:e}),options:[{value:`CONTINUE`,label:`continue at once`},{value:`FAIL`,label:`fail the step`},{value:`SKIP`,label:`skip all later steps`}]})]}),(0,M.jsx)(U,{label:`Extend to the subscriber’s schedule`,value:e.extendToSchedule??!1,onChange:e=>n({extendToSchedule:e})})]})}function Zc({of:e,onChange:t}){let n=n=>t({...e,...n});return(0,M.jsxs)(M.Fragment,{children:[(0,M.jsx)(fi,{label:`Limit (runs)`,at:`throttle.threshold`,value:e.threshold,onChange:e=>n({threshold:e})}),(0,M.jsx)(Hc,{label:`Within`,at:[`throttle.amount`,`throttle.unit`],amount:e.amount,unit:e.unit,onChange:n,options:[`MINUTES`,`HOURS`,`DAYS`]}),(0,M.jsx)(V,{label:`Key`,at:`throttle.throttleKey`,value:e.throttleKey??``,onChange:e=>n({throttleKey:e}),hint:`Runs with different values at this payload path are counted separately.`}),(0,M.jsxs)(`div`,{className:`filters`,children:[(0,M.jsx)(V,{label:`Payload path of the window`,at:`throttle.windowPath`,value:e.windowPath??``,onChange:e=>n({windowPath:e}),hint:`A time or a duration that replaces the window above.`}),(0,M.jsx)(H,{label:`If it is invalid`,value:e.invalid??`PASS`,onChange:e=>n({invalid:e}),options:[{value:`PASS`,label:`let the run continue`},{value:`SKIP`,label:`skip all later steps`}]})]})]})}var Qc={IN_APP:{initial:{inApp:{body:``}}},EMAIL:{initial:{email:{subject:``,html:``,noLayout:!1}}},SMS:{initial:{sms:{body:``}}},CHAT:{initial:{chat:{body:``}}},PUSH:{initial:{push:{subject:``,body:``}}},DIGEST:{initial:{digest:{type:`REGULAR`,amount:1,unit:`HOURS`,backoff:!1,updateMode:!1,extendToSchedule:!1}},controls:({digest:e},t)=>e&&(0,M.jsx)(Uc,{of:e,onChange:e=>t({digest:e})})},DELAY:{initial:{delay:{type:`REGULAR`,amount:1,unit:`HOURS`,extendToSchedule:!1}},controls:({delay:e},t)=>e&&(0,M.jsx)(Xc,{of:e,onChange:e=>t({delay:e})})},THROTTLE:{initial:{throttle:{threshold:1,amount:1,unit:`HOURS`}},controls:({throttle:e},t)=>e&&(0,M.jsx)(Zc,{of:e,onChange:e=>t({throttle:e})})},TRIGGER:{initial:{trigger:{workflow:``}},controls:({trigger:e},t)=>e&&(0,M.jsx)(jc,{of:e,onChange:e=>t({trigger:e})})},CUSTOM:{initial:{custom:{url:``,method:`POST`}},controls:({custom:e},t)=>e&&(0,M.jsx)(Nc,{of:e,onChange:e=>t({custom:e})})}},$c=Object.keys(Qc),el=e=>!Qc[e].controls,tl=(e,t)=>Qc[e.type].controls?.(e,t);function nl(e,t){let n=e.toLowerCase().replace(`_`,`-`),r=n;for(let e=2;t.includes(r);e++)r=`${n}-${e}`;return{type:e,stepId:r,name:r,active:!0,shouldStopOnFail:!1,unknownOutcome:`RETRY`,allowDuplicate:!1,...structuredClone(Qc[e].initial)}}var rl=(e,t)=>[...e,nl(t,e.map(e=>e.stepId??``))],il=[{value:`string`,label:`Text`},{value:`number`,label:`Number`},{value:`integer`,label:`Whole number`},{value:`boolean`,label:`True or false`},{value:`object`,label:`Object`},{value:`array`,label:`List`}];function al(e){if(!ol(e,`type`,`properties`,`required`))return!1;let{type:t,properties:n={},required:r=[]}=e;return t===`object`&&ol(n,...Object.keys(n))&&Array.isArray(r)&&Object.values(n).every(e=>ol(e,`type`,`description`,`default`)&&il.some(t=>t.value===e.type))}var ol=(e,...t)=>typeof e==`object`&&!!e&&!Array.isArray(e)&&Object.keys(e).every(e=>t.includes(e)),sl=(e,t)=>({type:`object`,properties:Object.fromEntries(e),...t.length>0&&{required:t}}),cl=e=>Object.entries(e.properties??{});function ll(e){let t=`field`;for(let n=2;e.properties?.[t];n++)t=`field${n}`;return sl([...cl(e),[t,{type:`string`}]],e.required??[])}function ul(e,t,n,r){let i=cl(e),a=i[t]?.[0];if(!(n!==a&&e.properties[n]))return sl(Hi(i,t,[n,r]),(e.required??[]).map(e=>e===a?n:e))}function dl(e,t){let n=cl(e);return sl(Ui(n,t),(e.required??[]).filter(e=>e!==n[t]?.[0]))}var fl=(e,t,n)=>sl(cl(e),Gi(e.required??[],t,n));function pl({schema:e,validate:t,onChange:n}){let[r,i]=(0,_.useState)(e!=null&&!al(e)),a=al(e)?e:{type:`object`,properties:{}},o=e==null||al(e);return(0,M.jsxs)(N,{title:`Payload`,children:[(0,M.jsxs)(pi,{children:[r?(0,M.jsx)(Ja,{label:`JSON Schema`,at:`definition.payloadSchema`,lines:12,value:e,onChange:e=>n(e,t&&e!=null)}):(0,M.jsx)(ml,{of:a,onChange:e=>n(Object.keys(e.properties).length?e:void 0,t)}),(0,M.jsx)(U,{label:`Reject triggers with an invalid payload`,at:`definition.validatePayload`,value:t,onChange:t=>n(e,t)})]}),(0,M.jsx)(`div`,{className:`row`,children:(0,M.jsx)(`button`,{type:`button`,disabled:r&&!o,onClick:()=>i(!r),children:r?`Show as a form`:`Show as JSON Schema`})}),r&&!o&&(0,M.jsx)(`p`,{className:`soft small`,children:`This schema uses features that the form does not support.`})]})}function ml({of:e,onChange:t}){let n=Object.entries(e.properties??{}),r=e.required??[],i=(n,r,i)=>{let a=ul(e,n,r,i);a&&t(a)};return(0,M.jsxs)(M.Fragment,{children:[n.length===0&&(0,M.jsx)(`p`,{className:`soft small`,children:`No fields: any payload is accepted.`}),n.map(([n,a],o)=>(0,M.jsxs)(`div`,{className:`filters`,role:`group`,"aria-label":`Field ${o+1}`,children:[(0,M.jsx)(V,{label:`Payload field ${o+1}`,value:n,onChange:e=>i(o,e,a)}),(0,M.jsx)(H,{label:`Type ${o+1}`,value:a.type,onChange:e=>i(o,n,{...a,type:e,default:void 0}),options:il}),(0,M.jsx)(V,{label:`Description ${o+1}`,value:a.description??``,onChange:e=>i(o,n,{...a,description:e||void 0})}),(0,M.jsx)(U,{label:`Required ${o+1}`,value:r.includes(n),onChange:r=>t(fl(e,n,r))}),(0,M.jsx)(`button`,{type:`button`,"aria-label":`Remove payload field ${o+1}`,onClick:()=>t(dl(e,o)),children:`Remove`})]},o)),(0,M.jsx)(`div`,{children:(0,M.jsx)(`button`,{type:`button`,onClick:()=>t(ll(e)),children:`Add payload field`})})]})}function hl({of:e,onChange:t}){let{definition:n}=e,r=e=>t({definition:{...n,...e}}),[i,a]=(0,_.useState)(n.tags?.join(`, `)??``);return(0,M.jsx)(N,{title:`Workflow`,children:(0,M.jsxs)(pi,{children:[(0,M.jsx)(V,{label:`Name`,at:`name`,value:e.name,onChange:e=>t({name:e})}),(0,M.jsx)(V,{label:`Description`,at:`description`,value:e.description,onChange:e=>t({description:e})}),(0,M.jsx)(V,{label:`Tags`,at:`definition.tags`,hint:`Separated by commas.`,value:i,onChange:e=>{a(e),r({tags:Ac(e)})}}),(0,M.jsxs)(`div`,{className:`filters`,children:[(0,M.jsx)(H,{label:`Severity`,value:n.severity??`NONE`,onChange:e=>r({severity:e}),options:[`NONE`,`LOW`,`MEDIUM`,`HIGH`]}),(0,M.jsx)(H,{label:`Waiting runs continue with`,value:n.versioning??`PINNED`,onChange:e=>r({versioning:e}),options:[{value:`PINNED`,label:`the version they were triggered with`},{value:`LATEST`,label:`the latest version`}]})]}),(0,M.jsxs)(`fieldset`,{children:[(0,M.jsx)(`legend`,{children:`Default channel preferences`}),(0,M.jsx)(`div`,{className:`row`,children:Fa.map(([e,t])=>(0,M.jsx)(U,{label:t,value:n.preferences?.[e]??!0,onChange:t=>r({preferences:{...n.preferences,[e]:t}})},e))})]}),(0,M.jsx)(U,{label:`Critical: subscribers cannot opt out`,value:n.critical??!1,onChange:e=>r({critical:e})}),(0,M.jsx)(U,{label:`Hold messages outside the subscriber’s schedule`,value:n.holdUntilOpen??!1,onChange:e=>r({holdUntilOpen:e})}),(0,M.jsx)(U,{label:`Finish waiting runs when the workflow is disabled`,value:n.drain??!1,onChange:e=>r({drain:e})}),(0,M.jsx)(U,{label:`Use translations`,value:n.translations??!1,onChange:e=>r({translations:e})}),(0,M.jsx)(U,{label:`Reject unknown variables when publishing`,at:`definition.strictVariables`,value:n.strictVariables??!1,onChange:e=>r({strictVariables:e})}),(0,M.jsx)(Ka,{label:`Conditions of the workflow`,at:`definition.conditions`,filters:n.conditions??[],onChange:e=>r({conditions:e})}),(0,M.jsx)(Ja,{label:`Data`,at:`definition.data`,value:n.data,onChange:e=>r({data:e}),hint:`For the application.`})]})})}function gl({definition:e,onChange:t}){let[n,r]=(0,_.useState)(),[i,a]=(0,_.useState)(),o=()=>{try{t(nt(n??``,`The definition`)),r(void 0),a(void 0)}catch(e){a(e)}},s=n!==void 0,c=Rr(`EDITOR`);return(0,M.jsxs)(N,{title:`Definition as JSON`,actions:(0,M.jsx)(`button`,{type:`button`,onClick:s?c?o:()=>r(void 0):()=>r(JSON.stringify(e,null,2)),children:s?c?`Apply`:`Hide`:c?`Edit as JSON`:`Show as JSON`}),children:[(0,M.jsx)(`p`,{className:`soft small`,children:`The whole definition, for example to copy it to another environment.`}),(0,M.jsx)(F,{error:i}),s&&(0,M.jsx)(V,{label:`Definition`,lines:20,value:n,onChange:r,readOnly:!c})]})}function _l({at:e,blocks:t,onChange:n}){let r=(e,r)=>n(t.map((t,n)=>n===e?{...t,...r}:t)),i=(e,r)=>n(t.map((n,i)=>i===e?t[r]:i===r?t[e]:n)),a=e=>n([...t,{type:e,content:``}]);return(0,M.jsxs)(`fieldset`,{children:[(0,M.jsx)(`legend`,{children:`Blocks`}),t.length===0&&(0,M.jsx)(`p`,{className:`soft small`,children:`No blocks yet.`}),t.map((a,o)=>(0,M.jsxs)(`div`,{className:`stack`,role:`group`,"aria-label":`Block ${o+1}`,children:[(0,M.jsx)(V,{at:`${e}.${o}.content`,label:a.type===`BUTTON`?`Button ${o+1}: text`:`Text ${o+1}`,lines:a.type===`TEXT`?3:void 0,value:a.content,onChange:e=>r(o,{content:e})}),(0,M.jsxs)(`div`,{className:`filters`,children:[a.type===`BUTTON`&&(0,M.jsx)(V,{label:`Button ${o+1}: URL`,at:`${e}.${o}.url`,value:a.url??``,onChange:e=>r(o,{url:e})}),(0,M.jsx)(H,{label:`Block ${o+1}: alignment`,value:a.styles?.textAlign??`LEFT`,onChange:e=>r(o,{styles:{textAlign:e}}),options:[`LEFT`,`CENTER`,`RIGHT`]}),(0,M.jsxs)(`span`,{className:`row`,children:[(0,M.jsx)(`button`,{type:`button`,"aria-label":`Move block ${o+1} up`,disabled:o===0,onClick:()=>i(o,o-1),children:`Up`}),(0,M.jsx)(`button`,{type:`button`,"aria-label":`Move block ${o+1} down`,disabled:o===t.length-1,onClick:()=>i(o,o+1),children:`Down`}),(0,M.jsx)(`button`,{type:`button`,"aria-label":`Remove block ${o+1}`,onClick:()=>n(t.filter((e,t)=>t!==o)),children:`Remove`})]})]})]},o)),(0,M.jsxs)(`div`,{className:`row`,children:[(0,M.jsx)(`button`,{type:`button`,onClick:()=>a(`TEXT`),children:`Add text`}),(0,M.jsx)(`button`,{type:`button`,onClick:()=>a(`BUTTON`),children:`Add button`})]})]})}var vl=`Liquid: {{ subscriber.firstName }}, {{ payload.anything }}`;function yl({of:e,onChange:t}){let{inApp:n,email:r,sms:i,chat:a,push:o}=e;return n?(0,M.jsx)(bl,{of:n,onChange:e=>t({inApp:e})}):r?(0,M.jsx)(Sl,{of:r,onChange:e=>t({email:e})}):i?(0,M.jsx)(V,{label:`Body`,at:`sms.body`,lines:5,value:i.body,onChange:e=>t({sms:{body:e}}),hint:vl}):a?(0,M.jsx)(V,{label:`Body`,at:`chat.body`,lines:5,value:a.body,onChange:e=>t({chat:{body:e}}),hint:vl}):o?(0,M.jsxs)(M.Fragment,{children:[(0,M.jsx)(V,{label:`Title`,at:`push.subject`,value:o.subject,onChange:e=>t({push:{...o,subject:e}})}),(0,M.jsx)(V,{label:`Body`,at:`push.body`,lines:4,value:o.body,onChange:e=>t({push:{...o,body:e}}),hint:vl}),(0,M.jsx)(Ja,{label:`Data`,at:`push.data`,value:o.data,onChange:e=>t({push:{...o,data:e}}),hint:`For the application; Liquid is rendered in all texts.`})]}):null}function bl({of:e,onChange:t}){let n=n=>t({...e,...n});return(0,M.jsxs)(M.Fragment,{children:[(0,M.jsx)(V,{label:`Subject`,at:`inApp.subject`,value:e.subject??``,onChange:e=>n({subject:e})}),(0,M.jsx)(V,{label:`Body`,at:`inApp.body`,lines:5,value:e.body,onChange:e=>n({body:e}),hint:vl}),(0,M.jsx)(V,{label:`Link (URL)`,at:`inApp.redirect`,value:e.redirect??``,onChange:e=>n({redirect:e})}),(0,M.jsx)(xl,{label:`Primary button`,at:`inApp.primaryAction`,of:e.primaryAction,onChange:e=>n({primaryAction:e})}),(0,M.jsx)(xl,{label:`Secondary button`,at:`inApp.secondaryAction`,of:e.secondaryAction,onChange:e=>n({secondaryAction:e})}),(0,M.jsxs)(`div`,{className:`filters`,children:[(0,M.jsx)(V,{label:`Avatar (URL)`,at:`inApp.avatar`,value:e.avatar??``,onChange:e=>n({avatar:e})}),(0,M.jsx)(V,{label:`Feed`,at:`inApp.feedId`,value:e.feedId??``,onChange:e=>n({feedId:e||void 0})})]}),(0,M.jsx)(Ja,{label:`Data`,at:`inApp.data`,value:e.data,onChange:e=>n({data:e}),hint:`For the application; Liquid is rendered in all texts.`})]})}function xl({label:e,at:t,of:n,onChange:r}){let i=e=>{let t={label:n?.label??``,url:n?.url??``,...e};r(t.label||t.url?t:void 0)};return(0,M.jsxs)(`div`,{className:`filters`,children:[(0,M.jsx)(V,{label:`${e}: text`,at:`${t}.label`,value:n?.label??``,onChange:e=>i({label:e})}),(0,M.jsx)(V,{label:`${e}: URL`,at:`${t}.url`,value:n?.url??``,onChange:e=>i({url:e})})]})}function Sl({of:e,onChange:t}){let n=n=>t({...e,...n});return(0,M.jsxs)(M.Fragment,{children:[(0,M.jsx)(V,{label:`Subject`,at:`email.subject`,value:e.subject,onChange:e=>n({subject:e})}),(0,M.jsx)(V,{label:`Preview text`,at:`email.preheader`,value:e.preheader??``,onChange:e=>n({preheader:e})}),(0,M.jsx)(H,{label:`Body as`,value:e.blocks?`blocks`:`html`,onChange:e=>n(e===`blocks`?{blocks:[{type:`TEXT`,content:``}],html:void 0}:{blocks:void 0,html:``}),options:[{value:`html`,label:`HTML`},{value:`blocks`,label:`Blocks`}]}),e.blocks?(0,M.jsx)(_l,{at:`email.blocks`,blocks:e.blocks,onChange:e=>n({blocks:e})}):(0,M.jsx)(V,{label:`HTML`,at:`email.html`,lines:10,value:e.html??``,onChange:e=>n({html:e}),hint:vl}),(0,M.jsx)(V,{label:`Text`,at:`email.text`,lines:4,value:e.text??``,onChange:e=>n({text:e}),hint:`If empty, generated from the body.`}),(0,M.jsxs)(`div`,{className:`filters`,children:[(0,M.jsx)(V,{label:`From`,at:`email.from`,value:e.from??``,onChange:e=>n({from:e})}),(0,M.jsx)(V,{label:`Sender name`,at:`email.senderName`,value:e.senderName??``,onChange:e=>n({senderName:e})}),(0,M.jsx)(V,{label:`Reply to`,at:`email.replyTo`,value:e.replyTo??``,onChange:e=>n({replyTo:e})}),(0,M.jsx)(V,{label:`Layout`,at:`email.layoutId`,value:e.layoutId??``,onChange:e=>n({layoutId:e}),placeholder:`the default layout`})]}),(0,M.jsx)(U,{label:`Do not use a layout`,value:e.noLayout??!1,onChange:e=>n({noLayout:e})})]})}function Cl({step:e,shown:t,onShow:n,onChange:r}){let i=e.variants??[],a=i[t],o=e=>r(i.map((n,r)=>r===t?{...n,...e}:n)),s=()=>{r(Ec(e)),n(i.length)},c=()=>{r(Dc(i,t)),n(0)},l=()=>{r(Ui(i,t)),n(-1)};return(0,M.jsxs)(M.Fragment,{children:[(0,M.jsxs)(`div`,{className:`filters`,children:[i.length>0&&(0,M.jsx)(H,{label:`Content`,value:String(t),onChange:e=>n(Number(e)),options:[{value:`-1`,label:`Step content`},...i.map((e,t)=>({value:String(t),label:e.name||`Variant ${t+1}`}))]}),(0,M.jsx)(j,{children:(0,M.jsxs)(`span`,{className:`row`,children:[(0,M.jsx)(`button`,{type:`button`,onClick:s,children:`Add variant`}),a&&t>0&&(0,M.jsx)(`button`,{type:`button`,onClick:c,children:`Move to top`}),a&&(0,M.jsx)(`button`,{type:`button`,className:`danger`,onClick:l,children:`Remove variant`})]})})]}),a&&(0,M.jsx)(li,{path:`variants.${t}`,children:(0,M.jsxs)(pi,{children:[(0,M.jsx)(V,{label:`Variant name`,at:`name`,value:a.name??``,onChange:e=>o({name:e})}),(0,M.jsx)(Ka,{label:`Send when`,at:`filters`,filters:a.filters,onChange:e=>o({filters:e}),none:`No conditions: always sent instead of the step’s own content.`}),(0,M.jsx)(yl,{of:a,onChange:o})]})})]})}function wl({step:e,onChange:t,onMove:n,onRemove:r,first:i,last:a,payloadSchema:o,afterDigest:s,example:c,onExample:l,wrong:u}){let[d,f]=(0,_.useState)(-1);(0,_.useEffect)(()=>{u.length>0&&f(tt(u))},[u]);let p=n=>t({...e,...n}),m=e.variants??[],h=el(e.type);return(0,M.jsxs)(M.Fragment,{children:[(0,M.jsxs)(N,{title:`Step: ${e.name||e.stepId}`,actions:(0,M.jsxs)(j,{children:[(0,M.jsx)(`button`,{type:`button`,disabled:i,onClick:()=>n(-1),children:`Move up`}),(0,M.jsx)(`button`,{type:`button`,disabled:a,onClick:()=>n(1),children:`Move down`}),(0,M.jsx)(`button`,{type:`button`,className:`danger`,onClick:r,children:`Remove`})]}),children:[(0,M.jsx)(pi,{children:(0,M.jsxs)(`div`,{className:`filters`,children:[(0,M.jsx)(V,{label:`Step name`,at:`name`,value:e.name??``,onChange:e=>p({name:e})}),(0,M.jsx)(V,{label:`Step identifier`,at:`stepId`,value:e.stepId??``,onChange:e=>p({stepId:e})})]})}),h&&(0,M.jsx)(Cl,{step:e,shown:d,onShow:f,onChange:e=>p({variants:e})}),d<0&&(0,M.jsxs)(pi,{children:[(0,M.jsx)(yl,{of:e,onChange:p}),tl(e,p),(0,M.jsx)(Ka,{label:`Conditions of the step`,at:`filters`,filters:e.filters??[],onChange:e=>p({filters:e})}),(0,M.jsxs)(`div`,{className:`row`,children:[(0,M.jsx)(U,{label:`Step is active`,value:e.active??!0,onChange:e=>p({active:e})}),(0,M.jsx)(U,{label:`Stop the run if this step fails`,value:e.shouldStopOnFail??!1,onChange:e=>p({shouldStopOnFail:e})})]}),h&&e.type!==`IN_APP`&&(0,M.jsx)(Tl,{step:e,onChange:p})]})]}),h&&(0,M.jsx)(ho,{step:Tc(e,m[d]),payloadSchema:o,digest:s,example:c,onExample:l})]})}function Tl({step:e,onChange:t}){let n=e.replyCallback??{active:!1};return(0,M.jsxs)(`details`,{children:[(0,M.jsx)(`summary`,{children:`Sending`}),(0,M.jsxs)(`div`,{className:`stack`,children:[(0,M.jsxs)(`div`,{className:`filters`,children:[(0,M.jsx)(H,{label:`If the outcome is unknown`,value:e.unknownOutcome??`RETRY`,onChange:e=>t({unknownOutcome:e}),options:[{value:`RETRY`,label:`retry`},{value:`STOP`,label:`stop`}]}),(0,M.jsx)(fi,{label:`Deadline (seconds)`,at:`deadlineSeconds`,value:e.deadlineSeconds,onChange:e=>t({deadlineSeconds:e}),hint:`If empty, the default of the channel.`})]}),(0,M.jsx)(U,{label:`If the outcome is unknown, allow failover (may send duplicates)`,value:e.allowDuplicate??!1,onChange:e=>t({allowDuplicate:e})}),e.type===`EMAIL`&&(0,M.jsxs)(M.Fragment,{children:[(0,M.jsx)(U,{label:`Forward replies`,value:n.active??!1,onChange:e=>t({replyCallback:e?{...n,active:e}:void 0})}),n.active&&(0,M.jsx)(V,{label:`Forward to (URL)`,at:`replyCallback.url`,value:n.url??``,onChange:e=>t({replyCallback:{...n,url:e}})})]})]})]})}function El({w:e,reload:t}){let[n,r]=(0,_.useState)(()=>({name:e.name,description:e.description,definition:Ma(e.draft)})),[i,a]=(0,_.useState)(0),[o,s]=(0,_.useState)(0),[c,l]=(0,_.useState)({payload:``,subscriberId:``,digestItems:2}),[u,d]=(0,_.useState)(``),f=eo(n),p=O(pr,({updateWorkflow:n})=>{d(n.publishedNumber>e.publishedNumber?`Published as version ${n.publishedNumber}.`:`Saved.`);let i={name:n.name,description:n.description,definition:Ma(n.draft)};r(i),f(i),s(e=>e+1),t()}),m=t=>{d(``),p.run({input:{id:e.id,...n,publish:t}})},h=(0,_.useMemo)(()=>et(p.error),[p.error]),g=(0,_.useRef)(null);(0,_.useEffect)(()=>{let[e]=h.keys();e!==void 0&&!h.has(i)&&a(e);let t=setTimeout(()=>hi(g.current));return()=>clearTimeout(t)},[h]);let{definition:v}=n,y=v.steps,b=e=>{d(``),r({...n,definition:{...v,steps:e}})},ee=y[i],te=e=>{b(Cc(y,i,e)),a(i+e)},ne=()=>{b(Ui(y,i)),a(Math.max(0,i-1)),s(o+1)},re=e=>{b(rl(y,e)),a(y.length)};return(0,M.jsxs)(M.Fragment,{children:[(0,M.jsx)(Sc,{of:e.issues}),(0,M.jsx)(F,{error:p.error}),(0,M.jsx)(`div`,{role:`status`,children:u&&!p.error&&(0,M.jsx)(`div`,{className:`note good`,children:u})}),(0,M.jsx)(j,{children:(0,M.jsxs)(`div`,{className:`row end`,children:[(0,M.jsx)(`button`,{type:`button`,disabled:p.busy,onClick:()=>m(!1),children:`Save draft`}),(0,M.jsx)(`button`,{type:`button`,className:`main`,disabled:p.busy,onClick:()=>m(!0),children:`Publish`})]})}),(0,M.jsxs)(N,{title:`Steps`,children:[y.length===0&&(0,M.jsx)(`p`,{className:`soft`,children:`No steps yet.`}),(0,M.jsx)(`ol`,{className:`row steps`,children:y.map((e,t)=>(0,M.jsxs)(`li`,{children:[(0,M.jsxs)(`button`,{type:`button`,"aria-pressed":t===i,className:t===i?`main`:``,onClick:()=>a(t),children:[e.name||e.stepId,` · `,B(e.type)]}),` `,e.active===!1&&(0,M.jsx)(P,{children:`off`}),` `,h.has(t)&&(0,M.jsx)(P,{tone:`bad`,children:`has errors`})]},t))}),(0,M.jsx)(j,{children:(0,M.jsx)(di,{label:`Add a step`,children:e=>(0,M.jsxs)(`select`,{value:``,onChange:e=>re(e.target.value),...e,children:[(0,M.jsx)(`option`,{value:``,children:`Select a type …`}),$c.map(e=>(0,M.jsx)(`option`,{value:e,children:B(e)},e))]})})})]}),(0,M.jsx)(ci,{error:p.error,children:(0,M.jsxs)(`div`,{className:`cols`,ref:g,inert:p.busy,children:[ee&&(0,M.jsx)(li,{path:`definition.steps.${i}`,children:(0,M.jsx)(wl,{step:ee,onChange:e=>b(Hi(y,i,e)),onMove:te,onRemove:ne,payloadSchema:v.payloadSchema,afterDigest:wc(y,i),example:c,onExample:l,first:i===0,last:i===y.length-1,wrong:h.get(i)??Dl},ee.id??`new ${i}`)}),(0,M.jsx)(hl,{of:n,onChange:e=>r({...n,...e})}),(0,M.jsx)(pl,{schema:v.payloadSchema,validate:v.validatePayload??!1,onChange:(e,t)=>r({...n,definition:{...v,payloadSchema:e,validatePayload:t}})}),(0,M.jsx)(gl,{definition:v,onChange:e=>{r({...n,definition:e}),s(o+1)}})]},o)})]})}var Dl=[];function Ol({w:e}){let[t,n]=(0,_.useState)(`test-subscriber`),[r,i]=(0,_.useState)(`{}`),[a,o]=(0,_.useState)(),[s,c]=(0,_.useState)(),[l,u]=(0,_.useState)(``),[d,f]=(0,_.useState)(!1),p=async n=>{f(!0),o(void 0),u(``);try{await n({name:e.identifier,to:[{subscriberId:t}],payload:nt(r,`The payload`,`payload`)})}catch(e){o(e)}f(!1)};return(0,M.jsxs)(M.Fragment,{children:[e.publishedNumber===0&&(0,M.jsx)(`div`,{className:`note wait`,children:`Only published workflows can be triggered. Publish the draft first.`}),(0,M.jsxs)(`div`,{className:`cols`,children:[(0,M.jsxs)(N,{title:`Test run`,children:[(0,M.jsxs)(ci,{error:a,children:[(0,M.jsx)(V,{label:`Subscriber`,at:`to`,value:t,onChange:n}),(0,M.jsx)(V,{label:`Payload (JSON)`,at:`payload`,lines:6,value:r,onChange:i})]}),(0,M.jsx)(F,{error:a}),(0,M.jsxs)(`div`,{className:`row`,children:[(0,M.jsx)(`button`,{type:`button`,disabled:d,onClick:()=>p(async e=>c((await lt(_r,{input:e})).explain)),children:`Explain`}),(0,M.jsx)(j,{children:(0,M.jsx)(`button`,{type:`button`,className:`main`,disabled:d,onClick:()=>p(async e=>{let{triggerEvent:t}=await lt(vr,{input:e});if(t.status!==`PROCESSED`)throw Error(`${B(t.status)}. ${t.error?.join(` `)??``}`);u(t.transactionId??``)}),children:`Trigger`})})]}),(0,M.jsx)(`p`,{className:`soft small`,children:`Explain shows what would happen without sending anything. Trigger sends.`}),(0,M.jsx)(`div`,{role:`status`,children:l&&(0,M.jsxs)(`div`,{className:`note good`,children:[`Accepted as `,(0,M.jsx)(`code`,{children:l}),`.`,` `,(0,M.jsx)(E,{href:`/activity?transaction=${encodeURIComponent(l)}`,children:`View in activity`})]})})]}),(0,M.jsx)(Ml,{}),l&&(0,M.jsx)(jl,{transaction:l},l),s&&(0,M.jsx)(kl,{of:s})]})]})}function kl({of:e}){return(0,M.jsxs)(N,{title:`What would happen`,actions:(0,M.jsx)(P,{children:B(e.status)}),children:[e.error?.map(e=>(0,M.jsx)(`p`,{children:e},e)),e.recipients.map(e=>(0,M.jsxs)(`div`,{className:`stack`,children:[(0,M.jsxs)(`h3`,{children:[e.subscriberId,` `,e.created&&(0,M.jsx)(P,{children:`would be created`})]}),(0,M.jsx)(`ol`,{className:`timeline`,children:e.steps.map((t,n)=>(0,M.jsxs)(`li`,{className:t.decision===`SEND`?`good`:t.decision===`WAIT`?`wait`:``,children:[(0,M.jsxs)(`div`,{className:`row`,children:[(0,M.jsx)(P,{children:B(t.decision)}),t.stepId&&(0,M.jsx)(`code`,{children:t.stepId}),(0,M.jsx)(`span`,{className:`soft`,children:B(t.reason)})]}),t.detail&&(0,M.jsx)(`div`,{children:t.detail}),t.condition&&(0,M.jsx)(`pre`,{tabIndex:0,children:t.condition.text}),t.message&&(0,M.jsxs)(`div`,{children:[`through `,t.message.integrationIdentifier,` to `,t.message.to.join(`, `)||e.subscriberId,`:`,` `,t.message.subject&&(0,M.jsx)(`strong`,{children:t.message.subject}),t.message.content?.html?(0,M.jsx)(ii,{html:t.message.content.html,title:`Mail of ${t.stepId}`}):(0,M.jsx)(`pre`,{tabIndex:0,children:t.message.content?.text})]}),(0,M.jsx)(`div`,{className:`soft small`,children:(0,M.jsx)(z,{at:t.at})})]},n))})]},e.subscriberId))]})}var Al=()=>{};function jl({transaction:e}){let[t,n]=(0,_.useState)({});return vt(wt,{filter:{transactionId:e}},({notificationUpdates:e})=>n(t=>({...t,[e.id]:e})),Al),(0,M.jsxs)(N,{title:`What happens`,children:[Object.keys(t).length===0&&(0,M.jsx)(`p`,{className:`soft`,children:`Waiting for the run …`}),Object.values(t).map(e=>(0,M.jsxs)(`div`,{className:`stack`,children:[(0,M.jsxs)(`div`,{className:`row`,children:[(0,M.jsx)(E,{href:`/activity/${e.id}`,children:e.subscriber?.subscriberId??`Notification`}),(0,M.jsx)(Fi,{of:e})]}),(0,M.jsx)(Fs,{of:e.trace})]},e.id))]})}function Ml(){let e=D(yr,{}),t=O(br,e.reload),n=O(xr,e.reload);return(0,M.jsx)(N,{title:`Clock`,children:(0,M.jsx)(I,{of:e,children:({environmentClock:e})=>(0,M.jsxs)(M.Fragment,{children:[(0,M.jsxs)(`p`,{children:[(0,M.jsx)(z,{at:e.now}),` `,e.frozen&&(0,M.jsx)(P,{tone:`wait`,children:`paused`})]}),e.virtual?(0,M.jsx)(j,{needs:`ADMIN`,children:(0,M.jsxs)(`div`,{className:`row`,children:[[[`1 minute`,`PT1M`],[`1 hour`,`PT1H`],[`1 day`,`P1D`],[`1 week`,`P7D`]].map(([e,n])=>(0,M.jsxs)(`button`,{type:`button`,disabled:t.busy,onClick:()=>t.run({by:n}),children:[`Forward `,e]},n)),(0,M.jsx)(`button`,{type:`button`,disabled:n.busy||!e.frozen,onClick:()=>n.run({}),children:`Reset to real time`})]})}):(0,M.jsx)(`p`,{className:`soft small`,children:`This environment uses the real clock. Set CARILLON_CLOCK=virtual on the server to move the clock of development environments.`}),(0,M.jsx)(F,{error:t.error??n.error})]})})})}function Nl(e,t){let n=e.split(`
`),r=t.split(`
`),i=Math.min(n.length,r.length),a=0;for(;a<i&&n[a]===r[a];)a++;let o=0;for(;o<i-a&&n.at(-1-o)===r.at(-1-o);)o++;let s=n.slice(a,n.length-o),c=r.slice(a,r.length-o),l=Array.from({length:s.length+1},()=>Array(c.length+1).fill(0));for(let e=s.length-1;e>=0;e--)for(let t=c.length-1;t>=0;t--)l[e][t]=s[e]===c[t]?l[e+1][t+1]+1:Math.max(l[e+1][t],l[e][t+1]);let u=e=>({kind:`same`,text:e}),d=n.slice(0,a).map(u),f=0,p=0;for(;f<s.length||p<c.length;)f<s.length&&p<c.length&&s[f]===c[p]?(d.push(u(s[f++])),p++):p>=c.length||f<s.length&&l[f+1][p]>=l[f][p+1]?d.push({kind:`del`,text:s[f++]}):d.push({kind:`add`,text:c[p++]});return[...d,...n.slice(n.length-o).map(u)]}function Pl({reference:e,id:t,onRestored:n}){let r=Oi(),i=D(ur,{reference:e,...r.variables}),[a,o]=Me(),s=a.get(`from`),c=(e,t)=>o(n=>(t?n.set(e,t):n.delete(e),n),{replace:!0}),l=O(pr,()=>{i.reload(),n()});return(0,M.jsxs)(`div`,{className:`cols`,children:[(0,M.jsx)(N,{title:`Versions`,children:(0,M.jsx)(I,{of:i,children:({workflowByReference:{versions:e}})=>(0,M.jsxs)(M.Fragment,{children:[(0,M.jsx)(L,{label:`Versions`,rows:e.nodes,id:e=>e.id,empty:`Not published yet.`,columns:[{name:`Version`,cell:e=>e.number},{name:`Published`,cell:e=>(0,M.jsx)(z,{at:e.createdAt})},{name:``,cell:e=>(0,M.jsx)(`button`,{type:`button`,"aria-label":`Compare version ${e.number}`,"aria-pressed":s===e.id,onClick:()=>c(`from`,e.id),children:`Compare`})}]}),(0,M.jsx)(R,{pager:r,info:e.pageInfo})]})})}),s&&i.data&&(0,M.jsx)(Fl,{from:s,to:a.get(`to`)??``,onTo:e=>c(`to`,e),versions:i.data.workflowByReference.versions.nodes,draft:Ma(i.data.workflowByReference.draft),busy:l.busy,error:l.error,onRestore:e=>l.run({input:{id:t,definition:e}})})]})}function Fl({from:e,to:t,onTo:n,versions:r,draft:i,onRestore:a,busy:o,error:s}){let c=D(dr,{id:e}),l=D(dr,{id:t},t===``);return(0,M.jsx)(I,{of:c,children:({workflowVersion:c})=>(0,M.jsxs)(N,{title:`From version ${c.number}`,actions:(0,M.jsx)(j,{children:(0,M.jsxs)(`button`,{type:`button`,disabled:o||Ll(Ma(c.definition),i),onClick:()=>a(Ma(c.definition)),children:[`Restore version `,c.number]})}),children:[(0,M.jsx)(F,{error:s}),(0,M.jsx)(H,{label:`To`,value:t,onChange:n,options:[{value:``,label:`The draft`},...r.filter(t=>t.id!==e).map(e=>({value:e.id,label:`Version ${e.number}`}))]}),t===``?(0,M.jsx)(Rl,{before:Ma(c.definition),after:i,same:`No differences to the draft.`}):(0,M.jsx)(I,{of:l,children:({workflowVersion:e})=>(0,M.jsx)(Rl,{before:Ma(c.definition),after:Ma(e.definition),same:`No differences to version ${e.number}.`})})]})})}var Il=e=>JSON.stringify(e,null,2),Ll=(e,t)=>Il(e)===Il(t);function Rl({before:e,after:t,same:n}){let r=Nl(Il(e),Il(t));return r.every(e=>e.kind===`same`)?(0,M.jsx)(`p`,{children:n}):(0,M.jsx)(`div`,{className:`diff`,tabIndex:0,role:`region`,"aria-label":`Differences`,children:r.map((e,t)=>(0,M.jsxs)(`div`,{className:e.kind,children:[e.kind===`add`?`+ `:e.kind===`del`?`- `:`  `,e.text]},t))})}function zl({reference:e,tab:t}){let n=D(lr,{reference:e}),[,r]=C(),i=O(mr,n.reload),a=O(hr,()=>{Za(),r(`/workflows`)}),o=`/workflows/${encodeURIComponent(e)}`;return(0,M.jsx)(I,{of:n,children:({workflowByReference:r})=>(0,M.jsxs)(Zr,{title:r.name,actions:(0,M.jsxs)(M.Fragment,{children:[(0,M.jsx)(xc,{of:r}),(0,M.jsx)(mi,{label:`Workflow is enabled`,on:r.active,busy:i.busy,onChange:e=>i.run({id:r.id,active:e})}),(0,M.jsx)($r,{label:`Delete`,question:`Delete the workflow ${r.name}? Its triggers will be rejected.`,onConfirm:()=>a.run({id:r.id}),busy:a.busy})]}),children:[(0,M.jsx)(F,{error:i.error??a.error}),(0,M.jsx)(ri,{label:`Workflow`,current:t,tabs:[[`Editor`,o],[`Test`,`${o}/test`],[`Versions`,`${o}/versions`]]}),t===`Editor`&&(0,M.jsx)(El,{w:r,reload:n.reload},r.id),t===`Test`&&(0,M.jsx)(Ol,{w:r}),t===`Versions`&&(0,M.jsx)(Pl,{reference:e,onRestored:n.reload,id:r.id})]})})}function Bl(){let{get:e,set:t}=Di(),n=e(`query`),r=Oi(),i=D(cr,{...r.variables,filter:{query:n||void 0}}),a=O(mr,i.reload),[o,s]=(0,_.useState)(!1);return(0,M.jsxs)(Zr,{title:`Workflows`,actions:(0,M.jsx)(j,{children:(0,M.jsx)(`button`,{type:`button`,className:`main`,onClick:()=>s(!0),children:`New workflow`})}),children:[(0,M.jsx)(N,{children:(0,M.jsx)(V,{label:`Name or identifier`,value:n,onChange:t(`query`)})}),(0,M.jsxs)(N,{children:[(0,M.jsx)(F,{error:a.error}),(0,M.jsx)(I,{of:i,children:({workflows:e})=>(0,M.jsxs)(M.Fragment,{children:[(0,M.jsx)(L,{label:`Workflows`,rows:e.nodes,id:e=>e.id,columns:[{name:`Name`,cell:e=>(0,M.jsx)(E,{href:`/workflows/${encodeURIComponent(e.identifier)}`,children:e.name})},{name:`Identifier`,cell:e=>(0,M.jsx)(`code`,{children:e.identifier})},{name:`Status`,cell:e=>(0,M.jsx)(xc,{of:e})},{name:`Version`,cell:e=>e.publishedNumber||`not published`},{name:`Last triggered`,cell:e=>(0,M.jsx)(z,{at:e.lastTriggeredAt})},{name:`Enabled`,cell:e=>(0,M.jsx)(mi,{label:`${e.name} is enabled`,on:e.active,busy:a.busy,onChange:t=>a.run({id:e.id,active:t})})}]}),(0,M.jsx)(R,{pager:r,info:e.pageInfo})]})})]}),o&&(0,M.jsx)(Vl,{onClose:()=>s(!1)})]})}function Vl({onClose:e}){let[t,n]=(0,_.useState)(``),[r,i]=(0,_.useState)(``),[,a]=C(),o=O(fr,e=>a(`/workflows/${encodeURIComponent(e.createWorkflow.identifier)}`));return(0,M.jsx)(Qr,{title:`New workflow`,onClose:e,children:(0,M.jsxs)(W,{submit:`Create`,action:o,onSubmit:()=>o.run({input:{name:t,identifier:r||void 0,publish:!1,definition:{steps:[]}}}),children:[(0,M.jsx)(V,{label:`Name`,at:`name`,value:t,onChange:n,required:!0}),(0,M.jsx)(V,{label:`Identifier`,at:`identifier`,value:r,onChange:i,hint:`Used by triggers. If empty, generated from the name.`})]})})}var Hl=[[`Overview`,`/overview`],[`Activity`,`/activity`],[`Workflows`,`/workflows`],[`Layouts`,`/layouts`],[`Snippets`,`/snippets`],[`Translations`,`/translations`],[`Variables`,`/variables`],[`Integrations`,`/integrations`],[`Subscribers`,`/subscribers`],[`Topics`,`/topics`],[`Tenants`,`/tenants`],[`Catcher`,`/catcher`],[`Promote`,`/promote`],[`Environments and keys`,`/environments`],[`Audit log`,`/audit`,`ADMIN`]];function Ul(e){try{return decodeURIComponent(e)}catch{return e}}var Wl={active:!1,oidc:!1,mail:!1,enrol:!1};function Gl(){let[e,t]=(0,_.useState)(),[n,r]=(0,_.useState)(),[i,a]=(0,_.useState)(0),o=(0,_.useRef)(``);return(0,_.useEffect)(()=>{let e=()=>void dt().then(t,r);e();let n=st(()=>t(e=>({...Wl,...e,active:!1}))),i=ct(e);return()=>{n(),i()}},[]),n?(0,M.jsxs)(`main`,{children:[(0,M.jsx)(F,{error:n}),(0,M.jsx)(ql,{})]}):e?location.pathname===`/dashboard/invitation`?(0,M.jsx)(Si,{session:e}):location.pathname===`/dashboard/new-password`?(0,M.jsx)(Ei,{}):e.active&&e.enrol?(0,M.jsx)(Kl,{}):(0,M.jsxs)(M.Fragment,{children:[!e.active&&(0,M.jsx)(vi,{session:e,onDone:e=>{Xa()&&e.toLowerCase()===o.current.toLowerCase()||(Za(),a(i+1)),dt().then(t,r)}}),(e.active||o.current)&&(0,M.jsx)(`div`,{hidden:!e.active,children:(0,M.jsx)(Jl,{children:(0,M.jsx)(to,{base:`/dashboard`,children:(0,M.jsx)(Yl,{onKnown:e=>o.current=e})})})},i)]}):null}function Kl(){return(0,M.jsxs)(gi,{title:`Set up your second factor`,children:[(0,M.jsx)(`p`,{children:`Your organization requires a second factor. Set yours up to continue.`}),(0,M.jsx)(va,{onDone:()=>location.reload()}),(0,M.jsx)(`button`,{type:`button`,onClick:()=>pt().finally(()=>location.reload()),children:`Log out`})]})}function ql(){return(0,M.jsx)(`div`,{children:(0,M.jsx)(`button`,{type:`button`,onClick:()=>location.reload(),children:`Reload page`})})}var Jl=class extends _.Component{state={};static getDerivedStateFromError=e=>({error:e});static getDerivedStateFromProps=({at:e},t)=>e===t.at?null:{at:e,error:void 0};render(){return this.state.error?(0,M.jsxs)(M.Fragment,{children:[(0,M.jsx)(`h1`,{children:`Something went wrong on this page`}),(0,M.jsx)(F,{error:this.state.error}),(0,M.jsx)(ql,{})]}):this.props.children}};function Yl({onKnown:e}){let t=D(jr,{}),n=t.data?.viewer.user?.email;return(0,_.useEffect)(()=>{n&&e(n)},[n]),t.data?(0,M.jsx)(Lr,{value:t.data.viewer.role,children:(0,M.jsx)(Xl,{viewer:t.data,reload:t.reload})}):t.error?(0,M.jsxs)(`main`,{children:[(0,M.jsx)(F,{error:t.error}),(0,M.jsx)(`button`,{type:`button`,onClick:t.reload,children:`Try again`})]}):null}function Xl({viewer:e,reload:t}){let[n,r]=(0,_.useState)(!1),[i]=C(),a=(0,_.useRef)(`/`);return(0,_.useEffect)(()=>{r(!1),a.current!==`/`&&a.current!==i&&document.activeElement===document.body&&document.getElementById(`content`)?.focus(),a.current=i},[i]),(0,M.jsxs)(`div`,{className:`shell`,children:[(0,M.jsx)(`a`,{className:`skip`,href:`#content`,children:`Skip to content`}),(0,M.jsxs)(`header`,{className:n?`side open`:`side`,children:[(0,M.jsxs)(`div`,{className:`top`,children:[(0,M.jsxs)(`span`,{className:`brand`,children:[(0,M.jsx)(`img`,{src:Mr,alt:``}),`Carillon`]}),(0,M.jsx)(`button`,{type:`button`,className:`menu`,"aria-expanded":n,onClick:()=>r(!n),children:`Menu`})]}),(0,M.jsx)(Ql,{viewer:e}),(0,M.jsx)(`nav`,{"aria-label":`Pages`,children:(0,M.jsx)(`ul`,{children:Hl.map(([e,t,n=`VIEWER`])=>(0,M.jsx)(j,{needs:n,children:(0,M.jsx)(`li`,{children:(0,M.jsx)(E,{href:t,"aria-current":i===t||i.startsWith(`${t}/`)?`page`:void 0,children:e})})},t))})}),(0,M.jsxs)(`div`,{className:`foot`,children:[(0,M.jsxs)(`span`,{children:[e.viewer.user?.email,` (`,e.viewer.role.toLowerCase(),`)`]}),(0,M.jsx)(Zl,{}),(0,M.jsxs)(`span`,{className:`small`,children:[`Times are in `,Intl.DateTimeFormat().resolvedOptions().timeZone,`.`]}),(0,M.jsx)(`button`,{type:`button`,onClick:()=>pt().finally(()=>location.reload()),children:`Log out`})]})]}),(0,M.jsx)(`main`,{id:`content`,tabIndex:-1,children:(0,M.jsx)(Jl,{at:i,children:(0,M.jsxs)(Pe,{children:[(0,M.jsx)(T,{path:`/`,children:(0,M.jsx)(Fe,{to:`/activity`,replace:!0})}),(0,M.jsx)(T,{path:`/overview`,component:q}),(0,M.jsx)(T,{path:`/activity`,component:Ii}),(0,M.jsx)(T,{path:`/activity/:id`,children:({id:e})=>(0,M.jsx)(Ps,{id:e},e)}),(0,M.jsx)(T,{path:`/workflows`,component:Bl}),(0,M.jsx)(T,{path:`/workflows/:id`,children:({id:e})=>(0,M.jsx)(zl,{reference:Ul(e),tab:`Editor`})}),(0,M.jsx)(T,{path:`/workflows/:id/test`,children:({id:e})=>(0,M.jsx)(zl,{reference:Ul(e),tab:`Test`})}),(0,M.jsx)(T,{path:`/workflows/:id/versions`,children:({id:e})=>(0,M.jsx)(zl,{reference:Ul(e),tab:`Versions`})}),(0,M.jsx)(T,{path:`/layouts`,component:xo}),(0,M.jsx)(T,{path:`/layouts/:id`,children:({id:e})=>(0,M.jsx)(So,{identifier:Ul(e)},e)}),(0,M.jsx)(T,{path:`/snippets`,component:ls}),(0,M.jsx)(T,{path:`/snippets/:id`,children:({id:e})=>(0,M.jsx)(us,{identifier:Ul(e)},e)}),(0,M.jsx)(T,{path:`/translations`,component:uc}),(0,M.jsx)(T,{path:`/translations/:locale`,children:({locale:e})=>(0,M.jsx)(pc,{locale:Ul(e)},e)}),(0,M.jsx)(T,{path:`/variables`,component:hc}),(0,M.jsx)(T,{path:`/integrations`,component:lo}),(0,M.jsx)(T,{path:`/integrations/:id`,children:({id:e})=>(0,M.jsx)(po,{id:e},e)}),(0,M.jsx)(T,{path:`/subscribers`,component:Gs}),(0,M.jsx)(T,{path:`/subscribers/:id`,children:({id:e})=>(0,M.jsx)(Hs,{id:Ul(e),tab:`Profile`})}),(0,M.jsx)(T,{path:`/subscribers/:id/preferences`,children:({id:e})=>(0,M.jsx)(Hs,{id:Ul(e),tab:`Preferences`})}),(0,M.jsx)(T,{path:`/subscribers/:id/subscriptions`,children:({id:e})=>(0,M.jsx)(Hs,{id:Ul(e),tab:`Subscriptions`})}),(0,M.jsx)(T,{path:`/subscribers/:id/messages`,children:({id:e})=>(0,M.jsx)(Hs,{id:Ul(e),tab:`Messages`})}),(0,M.jsx)(T,{path:`/topics`,component:$s}),(0,M.jsx)(T,{path:`/topics/:key`,children:({key:e})=>(0,M.jsx)(tc,{topicKey:Ul(e)},e)}),(0,M.jsx)(T,{path:`/tenants`,component:Ys}),(0,M.jsx)(T,{path:`/tenants/:id`,children:({id:e})=>(0,M.jsx)(Zs,{identifier:Ul(e)},e)}),(0,M.jsx)(T,{path:`/catcher`,component:zi}),(0,M.jsx)(T,{path:`/promote`,children:(0,M.jsx)(Jo,{viewer:e})}),(0,M.jsx)(T,{path:`/environments`,children:(0,M.jsx)(Ta,{me:e.viewer,onChange:t})}),(0,M.jsx)(T,{path:`/audit`,component:Ri}),(0,M.jsx)(T,{children:(0,M.jsx)(Zr,{title:`Not found`,children:(0,M.jsx)(`p`,{children:`This page does not exist.`})})})]})})})]})}function Zl(){let[e,t]=(0,_.useState)(``);return(0,_.useEffect)(()=>{dt().then(e=>t(e.version??``),()=>{})},[]),e&&(0,M.jsxs)(`span`,{className:`small`,children:[`Carillon `,e]})}function Ql({viewer:e}){let[t,n]=(0,_.useState)(),{environment:r}=e.viewer,{nodes:i}=e.environments,a=i.some(e=>e.id===r.id)?i:[r,...i];return(0,M.jsxs)(`label`,{className:`field`,children:[(0,M.jsx)(`span`,{children:`Environment`}),(0,M.jsx)(`select`,{value:r.id,onChange:e=>ht(e.target.value).then(()=>location.assign(`/dashboard/`),n),children:a.map(e=>(0,M.jsxs)(`option`,{value:e.id,children:[e.name,e.type===`PRODUCTION`?` (production)`:``]},e.id))}),(0,M.jsx)(F,{error:t})]})}(0,v.createRoot)(document.getElementById(`root`)).render((0,M.jsx)(_.StrictMode,{children:(0,M.jsx)(Gl,{})}));
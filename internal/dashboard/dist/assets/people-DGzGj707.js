import{t as e}from"./document-dlEMawag.js";var t=new e(`
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
    `),n=new e(`
    mutation AcceptInvitation($input: AcceptInvitationInput!) {
  acceptInvitation(input: $input) {
    environmentId
  }
}
    `),r=new e(`
    mutation RequestPasswordReset($email: String!) {
  requestPasswordReset(email: $email) {
    accepted
  }
}
    `),i=new e(`
    mutation ResetPassword($input: ResetPasswordInput!) {
  resetPassword(input: $input) {
    email
  }
}
    `),a=new e(`
    mutation BeginSecondFactor($password: String!) {
  beginSecondFactor(password: $password) {
    secret
    uri
    qrCode
  }
}
    `),o=new e(`
    mutation ConfirmSecondFactor($code: String!) {
  confirmSecondFactor(code: $code) {
    recoveryCodes
  }
}
    `),s=new e(`
    mutation RemoveSecondFactor($input: RemoveSecondFactorInput!) {
  removeSecondFactor(input: $input) {
    user {
      id
    }
  }
}
    `),c=new e(`
    mutation ReplaceRecoveryCodes($input: ReplaceRecoveryCodesInput!) {
  replaceRecoveryCodes(input: $input) {
    recoveryCodes
  }
}
    `),l=new e(`
    mutation SetPassword($input: SetPasswordInput!) {
  setPassword(input: $input) {
    user {
      id
    }
  }
}
    `);export{s as a,i as c,t as i,l,a as n,c as o,o as r,r as s,n as t};
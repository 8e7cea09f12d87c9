package dev.almanac.spring.test;

import java.io.Serial;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.SmartTransactionObject;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Transactions without a server: they begin, are joined, commit and roll back for those who are registered with them. */
final class MemoryTransactions extends AbstractPlatformTransactionManager {
    @Serial
    private static final long serialVersionUID = 1L;

    /** One transaction of a thread. */
    private static final class Transaction implements SmartTransactionObject {
        private boolean rollbackOnly;

        @Override
        public boolean isRollbackOnly() {
            return rollbackOnly;
        }
    }

    @Override
    protected Object doGetTransaction() {
        Transaction bound = (Transaction) TransactionSynchronizationManager.getResource(this);
        return bound == null ? new Transaction() : bound;
    }

    @Override
    protected boolean isExistingTransaction(Object transaction) {
        return TransactionSynchronizationManager.getResource(this) == transaction;
    }

    @Override
    protected void doBegin(Object transaction, TransactionDefinition definition) {
        TransactionSynchronizationManager.bindResource(this, transaction);
    }

    @Override
    protected Object doSuspend(Object transaction) {
        return TransactionSynchronizationManager.unbindResource(this);
    }

    @Override
    protected void doResume(Object transaction, Object suspended) {
        TransactionSynchronizationManager.bindResource(this, suspended);
    }

    @Override
    protected void doCommit(DefaultTransactionStatus status) {
        // what is registered with it has been stored
    }

    @Override
    protected void doRollback(DefaultTransactionStatus status) {
        // nothing is stored before the commit
    }

    @Override
    protected void doSetRollbackOnly(DefaultTransactionStatus status) {
        ((Transaction) status.getTransaction()).rollbackOnly = true;
    }

    @Override
    protected void doCleanupAfterCompletion(Object transaction) {
        TransactionSynchronizationManager.unbindResourceIfPossible(this);
    }
}
